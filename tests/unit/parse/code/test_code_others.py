"""The languages whose grammars are an extra."""

from __future__ import annotations

from code_reading import docs, imports, outline


def test_java() -> None:
    text = """\
    package a.b;
    import a.b.C;
    import a.b.*;
    import static a.B.max;
    /** Does {@link X}. <p>Two. */
    @Ann(x = 1)
    public class A<T> extends B implements C {
      static final int X = 1, y = 2;
      private int z;
      /**
       * One
       * line.
       *
       * @param a x
       */
      @Override @Deprecated
      public void f(int a) throws E { int local; }
      A() {}
      interface I { void g(); }
      enum E { P, Q; void h() {} }
      record R(int a) { void k() {} }
      @interface Q { int v() default 1; }
    }
    """
    assert outline("A.java", text) == [
        "A class 6-23 public class A<T> extends B implements C",
        "A.X constant 8-8 X = 1",
        "A.y constant 8-8 y = 2",
        "A.f method 16-17 public void f(int a) throws E",
        "A.A method 18-18 A()",
        "A.I class 19-19 interface I",
        "A.I.g method 19-19 void g()",
        "A.E class 20-20 enum E",
        "A.E.h method 20-20 void h()",
        "A.R class 21-21 record R(int a)",
        "A.R.k method 21-21 void k()",
        "A.Q class 22-22 @interface Q",
        "A.Q.v method 22-22 int v() default 1",
    ]
    assert docs("A.java", text)["A.f"] == "One line."
    assert imports("A.java", text) == [
        ("a.b.C", "", 2),
        ("a.b", "*", 3),
        ("a.B", "max", 4),
    ]


def test_c() -> None:
    text = """\
    #include "x.h"
    #include <y.h>
    #define GUARD
    #define A 1
    #define F(x) \\
      (x+1)
    static const int k = 3;
    int counter;
    extern int proto(void);
    struct S { int a; };
    struct Announced;
    typedef struct { int a; } T;
    typedef int (*fp)(int);
    enum E { P };
    /*
     * Does it.
     */
    static int *f(int a, /* c */ char *b)
    { int local; }
    #ifdef X
    void g(void) {}
    #else
    #include "else.h"
    int (par)(int a) { }
    #endif
    int (*pointer)(int);
    const char *NAMES[] = {"a"};
    """
    assert outline("a.c", text) == [
        "A constant 4-4 #define A 1",
        "F function 5-6 #define F(x)",
        "k constant 7-7 static const int k = 3",
        "proto function 9-9 extern int proto(void)",
        "S class 10-10 struct S",
        "T class 12-12 typedef struct T",
        "fp type 13-13 typedef int (*fp)(int)",
        "E class 14-14 enum E",
        "f function 18-19 static int *f(int a, char *b)",
        "g function 21-21 void g(void)",
        "par function 24-24 int (par)(int a)",
        'NAMES constant 27-27 const char *NAMES[] = {"a"}',
    ]
    assert docs("a.c", text)["f"] == "Does it."
    assert imports("a.h", text) == [
        ('"x.h"', "", 1),
        ("<y.h>", "", 2),
        ('"else.h"', "", 23),
    ]


def test_cpp() -> None:
    text = """\
    namespace a {
    template <typename T>
    class Foo : public Bar {
     public:
      Foo();
      ~Foo();
      int m(int a) const;
      static const int k = 1;
      template <class U> void t(U u) {}
      bool operator==(const Foo&) const;
      int x_;
      using Y = int;
      struct In { void z(); };
      enum class C { A };
    };
    }
    Foo::Foo() : x_(1) {}
    int a::Foo<int>::baz() {}
    Foo::operator bool() const { return true; }
    extern "C" { void cf(); }
    constexpr int z = 3;
    template <> void spec<int>() {}
    int& ref() {}
    """
    assert outline("a.cpp", text) == [
        "Foo class 2-15 template <typename T> class Foo : public Bar",
        "Foo.Foo method 5-5 Foo()",
        "Foo.~Foo method 6-6 ~Foo()",
        "Foo.m method 7-7 int m(int a) const",
        "Foo.k constant 8-8 static const int k = 1",
        "Foo.t method 9-9 template <class U> void t(U u)",
        "Foo.operator== method 10-10 bool operator==(const Foo&) const",
        "Foo.Y type 12-12 using Y = int",
        "Foo.In class 13-13 struct In",
        "Foo.In.z method 13-13 void z()",
        "Foo.C class 14-14 enum class C",
        "Foo.Foo method 17-17 Foo::Foo()",
        "a.Foo.baz method 18-18 int a::Foo<int>::baz()",
        "Foo.operator bool method 19-19 Foo::operator bool() const",
        "cf function 20-20 void cf()",
        "z constant 21-21 constexpr int z = 3",
        "spec function 22-22 template <> void spec<int>()",
        "ref function 23-23 int& ref()",
    ]


def test_a_header_with_classes_is_cpp() -> None:
    text = "#pragma once\nnamespace a {\nclass B {\n public:\n  void m();\n};\n}\n"
    assert outline("b.h", text) == ["B class 3-6 class B", "B.m method 5-5 void m()"]


def test_csharp() -> None:
    text = """\
    using System;
    using static A.B;
    using X = A.B.C;
    global using Q;
    namespace N {
    /// <summary>
    /// Does <see cref="T:Other"/>.
    /// </summary>
    [Attr]
    public class A<T> : B where T : new() {
      const int k = 1;
      static readonly int l = 2;
      int f;
      [Test] public async Task<int> M(int[] a) => 1;
      A() {}
      interface I { void G(); }
      enum E { P }
      record R(int A);
      struct S {}
      delegate void D(int a);
    } }
    """
    assert outline("a.cs", text) == [
        "A class 9-21 public class A<T> : B where T : new()",
        "A.k constant 11-11 const int k = 1",
        "A.l constant 12-12 static readonly int l = 2",
        "A.M method 14-14 public async Task<int> M(int[] a)",
        "A.A method 15-15 A()",
        "A.I class 16-16 interface I",
        "A.I.G method 16-16 void G()",
        "A.E class 17-17 enum E",
        "A.R class 18-18 record R(int A)",
        "A.S class 19-19 struct S",
        "A.D type 20-20 delegate void D(int a)",
    ]
    assert docs("a.cs", text)["A"] == "Does Other."
    assert imports("a.cs", text) == [
        ("System", "", 1),
        ("A.B", "*", 2),
        ("A.B.C", "", 3),
        ("Q", "", 4),
    ]


def test_ruby() -> None:
    text = """\
    require "a"
    require_relative "b/c"
    module A::M
      K = 1
      class B < C
        # Doc of f.
        #
        # More.
        def f(a, b = 1)
          require "lazy"
        end
        def self.g; end
        class << self
          def h
          end
        end
        private def pp; end
      end
      Point = Struct.new(:x)
    end
    if a
      def q?; end
    end
    def endless = 1
    """
    assert outline("a.rb", text) == [
        "A.M class 3-20 module A::M",
        "A.M.K constant 4-4 K = 1",
        "A.M.B class 5-18 class B < C",
        "A.M.B.f method 9-11 def f(a, b = 1)",
        "A.M.B.g method 12-12 def self.g",
        "A.M.B.h method 14-15 def h",
        "A.M.B.pp method 17-17 private def pp",
        "A.M.Point constant 19-19 Point = Struct.new(:x)",
        "q? function 22-22 def q?",
        "endless function 24-24 def endless",
    ]
    assert docs("a.rb", text)["A.M.B.f"] == "Doc of f."
    assert imports("Rakefile", text) == [
        ("a", "", 1),
        ("./b/c", "", 2),
        ("lazy", "", 10),
    ]


def test_php() -> None:
    text = """\
    <?php
    namespace A\\B;
    use A\\B\\C;
    use A\\{D, E as F};
    use function A\\f;
    require "x.php";
    require_once __DIR__ . "/y.php";
    const K = 1;
    /** Doc. */
    #[Attr]
    abstract class A extends B {
      const X = 1, Y = 2;
      public static $s = 1;
      #[Foo] public function f(int $a): int { include "z.php"; }
      abstract function g();
    }
    interface I { function h(); }
    trait T { function t() {} }
    enum E: string { case A = "a"; function e() {} }
    # Hash.
    function free($a) { }
    if (!function_exists("q")) { function q() {} }
    """
    assert outline("a.php", text) == [
        "K constant 8-8 const K = 1",
        "A class 10-16 abstract class A extends B",
        "A.X constant 12-12 X = 1",
        "A.Y constant 12-12 Y = 2",
        "A.$s constant 13-13 public static $s = 1",
        "A.f method 14-14 public function f(int $a): int",
        "A.g method 15-15 abstract function g()",
        "I class 17-17 interface I",
        "I.h method 17-17 function h()",
        "T class 18-18 trait T",
        "T.t method 18-18 function t()",
        "E class 19-19 enum E: string",
        "E.e method 19-19 function e()",
        "free function 21-21 function free($a)",
        "q function 22-22 function q()",
    ]
    assert docs("a.php", text)["A"] == "Doc."
    assert docs("a.php", text)["free"] == "Hash."
    assert imports("a.php", text) == [
        ("A\\B\\C", "", 3),
        ("A\\D", "", 4),
        ("A\\E", "", 4),
        ("A\\f", "", 5),
        ("x.php", "", 6),
        ("./y.php", "", 7),
        ("z.php", "", 14),
    ]


def test_bash() -> None:
    text = """\
    #!/bin/bash
    source ./a.sh
    . "$HERE/b.sh"
    . $ANY
    FOO=1
    readonly BAR=2
    # Says f.
    f() { source x.sh; }
    function g { local a=1; }
    if true; then
      h() { :; }
    fi
    lower=1
    [ -f a ] && . q.sh
    . "$(dirname "$0")/c.sh"
    """
    assert outline("a.sh", text) == [
        "FOO constant 5-5 FOO=1",
        "BAR constant 6-6 readonly BAR=2",
        "f function 8-8 f()",
        "g function 9-9 function g",
        "h function 11-11 h()",
    ]
    assert docs("a.sh", text)["f"] == "Says f."
    assert imports("a.bash", text) == [
        ("./a.sh", "", 2),
        ("$HERE/b.sh", "", 3),
        ("x.sh", "", 8),
        ("q.sh", "", 14),
        ('$(dirname "$0")/c.sh', "", 15),
    ]
