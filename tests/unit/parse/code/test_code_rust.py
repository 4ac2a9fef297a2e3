from __future__ import annotations

from code_reading import docs, imports, outline


def test_methods_are_named_by_the_type_of_their_impl() -> None:
    text = """\
    impl<T> fmt::Display for shapes::Square<T> {
        const C: u8 = 1;
        type Out = u8;
        #[inline]
        pub fn f<'a>(
            &'a self, // c
            b: char,
        ) -> u8
        where
            T: A,
        { fn local() {} 1 }
    }
    impl X for &'a mut dyn Bar { fn g() {} }
    impl X for [u8] { fn h() {} }
    """
    assert outline("a.rs", text) == [
        "Square.C constant 2-2 const C: u8 = 1",
        "Square.Out type 3-3 type Out = u8",
        "Square.f method 4-11 pub fn f<'a>(&'a self, b: char) -> u8 where T: A",
        "Bar.g method 13-13 fn g()",
        "h method 14-14 fn h()",
    ]


def test_items_of_every_kind() -> None:
    text = """\
    #[derive(Debug)]
    // between
    #[x]
    pub struct S { a: u8 }
    pub struct Tuple<T>(u8, T) where T: A;
    struct Unit;
    enum E { A }
    union U { a: u8 }
    pub trait T { type Out; const D: u8; fn a(&self); fn b() {} }
    macro_rules! mm { () => {} }
    static X: u8 = 1;
    const _: () = ();
    extern "C" { fn q(); }
    mod outer { pub mod inner { pub async unsafe fn x() {} } }
    """
    assert outline("a.rs", text) == [
        "S class 1-4 pub struct S",
        "Tuple class 5-5 pub struct Tuple<T>(u8, T) where T: A",
        "Unit class 6-6 struct Unit",
        "E class 7-7 enum E",
        "U class 8-8 union U",
        "T class 9-9 pub trait T",
        "T.D constant 9-9 const D: u8",
        "T.Out type 9-9 type Out",
        "T.a method 9-9 fn a(&self)",
        "T.b method 9-9 fn b()",
        "mm function 10-10 macro_rules! mm",
        "X constant 11-11 static X: u8 = 1",
        "q function 13-13 fn q()",
        "outer.inner.x function 14-14 pub async unsafe fn x()",
    ]


def test_attributes_of_other_statements_are_not_taken() -> None:
    assert outline("a.rs", "#[test]\nfoo!();\nfn f() {}\n") == ["f function 3-3 fn f()"]


def test_doc_comments_are_above_or_below_the_attributes() -> None:
    text = """\
    /// A tree
    /// of books.
    ///
    /// More.
    #[derive(Debug)]
    struct A;
    #[derive(Debug)]
    /// Below.
    struct B;
    /** Block. */
    fn c() {}
    """
    assert docs("a.rs", text) == {"A": "A tree of books.", "B": "Below.", "c": "Block."}


def test_use_trees_lie_flat() -> None:
    text = """\
    use crate::{a::{self, b as c}, d::*, e};
    use x;
    use ::std::io::{self, Read as _};
    pub use self::foo::Bar;
    pub(crate) mod n;
    extern crate old;
    fn f() {
        use late::y;
        // use no::z;
    }
    """
    assert imports("a.rs", text) == [
        ("crate", "a e", 1),
        ("crate::a", "b", 1),
        ("crate::d", "*", 1),
        ("x", "", 2),
        ("::std", "io", 3),
        ("::std::io", "Read", 3),
        ("self::foo", "Bar", 4),
        ("mod:n", "", 5),
        ("old", "", 6),
        ("late", "y", 8),
    ]


def test_an_inline_module_is_part_of_its_file() -> None:
    text = """\
    mod m {
        mod inner;
        use super::*;
        use super::super::up;
        use self::x::y;
        use crate::z::a;
        mod deep { use super::b; }
    }
    """
    assert imports("a.rs", text) == [
        ("mod:m::inner", "", 2),
        ("self", "*", 3),
        ("super", "up", 4),
        ("self::m::x", "y", 5),
        ("crate::z", "a", 6),
        ("self::m", "b", 7),
    ]
