from __future__ import annotations

import pytest
from code_reading import code, docs, imports, names, outline


def test_classes_hold_methods_arrow_fields_and_static_fields() -> None:
    text = """\
    @dec()
    export class D<
      E extends Env = Env,
    > extends B {
      @inject() x = 1;
      static y = 2;
      LIMIT = 3;
      #p = async (a) => { const inner = 1 };
      get z() { return 1 }
      @foo()
      bar(): void {}
      "q r"() {}
      [Symbol.iterator]() {}
      constructor() { function local() {} }
    }
    """
    assert outline("a.ts", text) == [
        "D class 1-15 export class D<E extends Env = Env> extends B",
        "D.y constant 6-6 static y = 2",
        "D.LIMIT constant 7-7 LIMIT = 3",
        "D.#p method 8-8 #p = async (a)",
        "D.z method 9-9 get z()",
        "D.bar method 10-11 bar(): void",
        'D.q r method 12-12 "q r"()',
        "D.[Symbol.iterator] method 13-13 [Symbol.iterator]()",
        "D.constructor method 14-14 constructor()",
    ]


def test_declarators_are_constants_unless_they_hold_a_function_or_load_a_module() -> (
    None
):
    text = """\
    export const a = 1, f = (x) => {};
    const fs = require('fs'), { p } = require("x").y;
    const lazy = await import("./z");
    export const { s, t = 1, q: [r], ...u } = make();
    let v;
    var named = function other() {};
    const K = class { m() {} };
    const handler: Handler = async (
      c,
    ): Promise<void> => {
      const inner = 1;
    }
    if (a) { const hidden = 1 }
    call(function () { function hidden() {} });
    """
    assert outline("a.ts", text) == [
        "a constant 1-1 a = 1",
        "f function 1-1 f = (x)",
        *(
            f"{name} constant 4-4 export const {{ s, t = 1, q: [r], ...u }} = make()"
            for name in "rstu"
        ),
        "v constant 5-5 let v",
        "named function 6-6 var named = function other()",
        "K class 7-7 const K = class",
        "K.m method 7-7 m()",
        "handler function 8-12 const handler: Handler = async (c): Promise<void>",
    ]


@pytest.mark.parametrize("path", ["a.js", "a.ts"])
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A.prototype.b = function (x) {}", ["A.b method 1-1 A.prototype.b = function (x)"]),
        ("A.prototype.b = async function* (x) {\n}", ["A.b method 1-2 A.prototype.b = async function* (x)"]),
        ("A.prototype\n  .b = (x) => 1;", ["A.b method 1-2 A.prototype .b = (x)"]),
        ("A.from = function other() {}", ["A.from method 1-1 A.from = function other()"]),
        ("a.b.$c = x => x", ["a.b.$c method 1-1 a.b.$c = x"]),
        ("exports.c = async () => {}", ["c function 1-1 exports.c = async ()"]),
        ("module.exports.c = function () {}", ["c function 1-1 module.exports.c = function ()"]),
        ("exports.A.prototype.b = function () {}", ["A.b method 1-1 exports.A.prototype.b = function ()"]),
        ("exports.K = class extends B { m() {} }", ["K class 1-1 exports.K = class extends B", "K.m method 1-1 m()"]),
        ("module.exports = function go(x) {}", ["go function 1-1 module.exports = function go(x)"]),
        ("exports = module.exports = class K {}", ["K class 1-1 exports = module.exports = class K"]),
        ("a.b =\n  a.c = function () {\n}", ["a.b method 1-3 a.b = a.c = function ()"]),
        ("a.b = a.b || function () {}", ["a.b method 1-1 a.b = a.b || function ()"]),
    ],
)  # fmt: skip
def test_an_assignment_defines_its_target(
    path: str, text: str, found: list[str]
) -> None:
    assert outline(path, text) == found


@pytest.mark.parametrize(
    ("left", "found"),
    [
        ("module.exports", ["a function 2", "b function 3", "c d function 4", "K class 5", "K.m method 5"]),
        ("exports = module.exports", ["a function 2", "b function 3", "c d function 4", "K class 5", "K.m method 5"]),
        ("A.prototype", ["A.a method 2", "A.b method 3", "A.c d method 4", "A.K class 5", "A.K.m method 5"]),
        ("a.options", []), ("a", []),
    ],
)  # fmt: skip
def test_functions_in_an_object_are_defined_where_it_is_all_exports_or_a_prototype(
    left: str, found: list[str]
) -> None:
    text = f"""\
    {left} = {{
      async a() {{}},
      b: function () {{ return {{ hidden() {{}} }} }},
      "c d": (x) => x,
      K: class {{ m() {{}} }},
      value: 1, e, ...f, g: call(() => 1), h: {{ hidden() {{}} }},
    }}
    """
    assert [
        f"{each.name} {each.kind} {each.start}" for each in code("a.js", text).symbols
    ] == found


@pytest.mark.parametrize(
    "text",
    [
        "A.LIMIT = 1; A.b = c; A.prototype.d = A.prototype.b; exports.e = call(function () {})",
        "module.exports = function () {}\nmodule.exports = class {}\nmodule.exports = A",
        "A.prototype = Object.create(B.prototype)\nA.prototype = class B {}",
        "f = function g() {}\nthis.f = function () {}",
        "a[b] = function () {}\na[b].c = function () {}\ncall().d = function () {}",
        "if (a) { b.c = function () {} }\n(function () { b.c = function () {} })()",
    ],
)
def test_an_assignment_of_a_value_or_to_a_computed_name_defines_nothing(
    text: str,
) -> None:
    assert names("a.js", text) == []


def test_a_function_that_is_exported_by_name_is_listed_once() -> None:
    text = """\
    function send() {}
    exports.send = send
    module.exports = { send, other: send }
    module.exports.send = send
    """
    assert outline("a.js", text) == ["send function 1-1 function send()"]


@pytest.mark.parametrize(
    "path", ["a.js", "a.mjs", "a.cjs", "a.jsx", "a.ts", "a.mts", "a.cts", "a.tsx"]
)
def test_every_suffix_is_read(path: str) -> None:
    assert outline(path, "export default async function* go(a) {}\n") == [
        "go function 1-1 export default async function* go(a)"
    ]


def test_markup_needs_no_other_suffix_in_javascript() -> None:
    for path in ("a.jsx", "a.tsx", "a.js"):
        assert names(
            path, "const App = () => <a b={1}>text</a>\nfunction g() {}\n"
        ) == ["App", "g"]


def test_a_default_export_without_a_name_is_called_default() -> None:
    assert outline("a.ts", "export default class extends X { m() {} }\n") == [
        "default class 1-1 export default class extends X",
        "default.m method 1-1 m()",
    ]
    assert names("a.js", "export default (a) => a\n") == ["default"]
    assert names("a.js", "export default foo\nexport { bar }\n") == []


def test_types_of_typescript() -> None:
    text = """\
    export interface I { m(): void; p: string }
    type T = | 'a' | 'b';
    declare const enum E { A }
    abstract class Z { abstract m(): void; private readonly k = 1 }
    declare function d(a: string): void;
    function o(a: string): void;
    function o(a) {}
    export namespace N.M { export function x() {} const y = 1 }
    declare module "m" { function in_module(): void }
    declare global { interface Window { a: 1 } }
    """
    assert outline("a.d.ts", text) == [
        "I class 1-1 export interface I",
        "I.m method 1-1 m(): void",
        "T type 2-2 type T = | 'a' | 'b'",
        "E class 3-3 declare const enum E",
        "Z class 4-4 abstract class Z",
        "Z.m method 4-4 abstract m(): void",
        "d function 5-5 declare function d(a: string): void",
        "o function 6-6 function o(a: string): void",
        "o function 7-7 function o(a)",
        "N.M.x function 8-8 export function x()",
        "N.M.y constant 8-8 const y = 1",
        "in_module function 9-9 function in_module(): void",
        "Window class 10-10 interface Window",
    ]


def test_comments_in_a_head_are_left_out() -> None:
    text = "function f(\n  a /* b */, // c\n  d = '//',\n) {}\n"
    assert outline("a.js", text) == ["f function 1-4 function f(a, d = '//')"]


def test_decorators_between_export_and_class_are_no_part_of_the_head() -> None:
    found = code("a.ts", "export @dec({\n a: 1 }) class E {}\n").symbols[0]
    assert (found.start, found.head, found.signature) == (1, 2, "export class E")


def test_doc_comments_lose_their_marks_and_tags() -> None:
    text = """\
    /**
     * Make a
     * thing.
     *
     * More.
     */
    export function a() {}
    /** @param x y */
    function b() {}
    // eslint-disable-next-line
    // Say it.
    const c = () => 1

    // Not mine.

    function d() {}
    foo() // trailing
    function e() {}
    /* Plain. */
    @dec()
    class F {
      /** Of a method. */
      m() {}
    }
    /* Of g. */ let g = 1; /* of
    nothing */
    let h = 2
    /** @description Tagged. */
    let i
    /** Assigned. */
    J.prototype.k = function () {}
    module.exports = {
      // In an object.
      l: () => 1
    }
    """
    assert docs("a.ts", text) == {
        "a": "Make a thing.",
        "b": "",
        "c": "Say it.",
        "d": "",
        "e": "",
        "F": "Plain.",
        "F.m": "Of a method.",
        "g": "",
        "h": "",
        "i": "Tagged.",
        "J.k": "Assigned.",
        "l": "In an object.",
    }


def test_imports_of_every_form() -> None:
    text = """\
    import def, { nm, type T } from "dn";
    import { a as b } from './q'
    import * as z from "z"; import "side";
    import type D from "e";
    import x = require("y");
    export * from "f"; export * as ns from "g";
    export { default as k, m } from "l";
    export { local };
    const c = require('./c'), d = require(`tpl`), e = require(dynamic);
    async function go() { await import("./lazy"); }
    const Comp = lazy(() => import("./comp"));
    let t: typeof import("tq");
    // require("no") and "import('no')"
    """
    assert imports("a.ts", text) == [
        ("dn", "default nm T", 1),
        ("./q", "a", 2),
        ("z", "*", 3),
        ("side", "", 3),
        ("e", "default", 4),
        ("y", "", 5),
        ("f", "*", 6),
        ("g", "*", 6),
        ("l", "default m", 7),
        ("./c", "", 9),
        ("tpl", "", 9),
        ("./lazy", "", 10),
        ("./comp", "", 11),
        ("tq", "", 12),
    ]


def test_definitions_in_an_open_body_are_listed_without_variables() -> None:
    text = "import a from 'b'\nexport class A {\n foo() { return 1 }\n bar(x) { const q = 1; }\n baz( {\n"
    assert names("a.ts", text) == ["foo", "bar"]
    assert imports("a.ts", text) == [("b", "default", 1)]
