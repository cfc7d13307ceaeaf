#include "parse_text.h"

namespace dscope {
namespace {

// Parses the program and prints it again, to show how declarators and specifiers were parsed.
std::string printed(const std::string& text) {
  ParsedText parsed(text, {.kind = UnitKind::Library});
  return parsed.failed() ? parsed.tag() : print_source(parsed.program());
}

TEST(Declarator, OrdersPartsFromTheNameOutward) {
  ParsedText parsed("char *a[4];", {.kind = UnitKind::Library});
  const Declarator& declarator = *parsed.external<Declaration>().declarators.at(0);
  ASSERT_EQ(declarator.parts.size(), 2u);
  EXPECT_TRUE(std::holds_alternative<ArrayPart>(declarator.parts[0]));
  EXPECT_TRUE(std::holds_alternative<PointerPart>(declarator.parts[1]));
}

TEST(Declarator, ParsesNestedDeclarators) {
  EXPECT_EQ(printed("char (*a)[4];"), "char (*a)[4];\n");
  EXPECT_EQ(printed("int (*f)(int, char *);"), "int (*f)(int, char *);\n");
  EXPECT_EQ(printed("int (*(*f[2])(void))[3];"), "int (*(*f[2])(void))[3];\n");
  EXPECT_EQ(printed("char *const *volatile p;"), "char *const *volatile p;\n");
  EXPECT_EQ(printed("int ((x));"), "int x;\n");
}

TEST(Declarator, BracketsHoldSizesOrKeys) {
  EXPECT_EQ(printed("int a[3], b[int], c[string, pid_t], d[pid_t, int x], e[];"),
            "int a[3], b[int], c[string, pid_t], d[pid_t, int x], e[];\n");
  EXPECT_EQ(printed("int a[int][4];"), "int a[int][4];\n");
  EXPECT_EQ(printed("inline int n = 4; int a[n], b[n + 1];"), "inline int n = 4;\nint a[n], b[n + 1];\n");
}

TEST(Declarator, ParsesFunctionsAndVarargs) {
  EXPECT_EQ(printed("extern int f(void); int g(int, ...); int h(...); int k();"),
            "extern int f(void);\nint g(int, ...);\nint h(...);\nint k();\n");
}

TEST(Declaration, DefaultsTypeAndClass) {
  EXPECT_EQ(printed("self x; this y, z; extern e; self a[int]; const c;"),
            "self x;\nthis y, z;\nextern e;\nself a[int];\nconst c;\n");
  EXPECT_EQ(printed("self pid_t x;"), "self pid_t x;\n");
}

TEST(Declaration, RejectsInitializers) { EXPECT_EQ(message_of("int x = 3;"), "syntax error near \"=\""); }

TEST(Declaration, TypeNamesMayBeDeclaredNames) {
  EXPECT_EQ(printed("struct s { pid_t pid_t; };"), "struct s { pid_t pid_t; };\n");
  EXPECT_EQ(printed("typedef int foo; typedef foo *bar; bar b;"), "typedef int foo;\ntypedef foo *bar;\nbar b;\n");
}

TEST(Declaration, ParsesStructsUnionsAndEnums) {
  EXPECT_EQ(printed("struct s { int a : 3, b; unsigned : 0; struct { int c; }; union u *p; };"),
            "struct s { int a : 3; int b; unsigned : 0; struct { int c; }; union u *p; };\n");
  EXPECT_EQ(printed("enum e { A, B = 3, C = B + 1, };"), "enum e { A, B = 3, C = B + 1 };\n");
  EXPECT_EQ(printed("struct vmlinux`task_struct *p; struct s;"), "struct vmlinux`task_struct *p;\nstruct s;\n");
  EXPECT_EQ(printed("struct s { };"), "D_SYNTAX");
  EXPECT_EQ(printed("struct;"), "D_SYNTAX");
  EXPECT_EQ(printed("struct s { self int x; };"), "D_SYNTAX");
}

TEST(Declaration, EnumeratorsAreIdentifiers) {
  ParsedText parsed("enum { list_t }; BEGIN { x = (list_t)-1; }");
  ASSERT_FALSE(parsed.failed());
  const auto& statement = std::get<ExprStatement>(parsed.external<Clause>(1).body[0]->form);
  EXPECT_TRUE(std::holds_alternative<Binary>(std::get<Assign>(statement.expr->form).rhs->form));
}

TEST(Declaration, RejectsInvalidCombinations) {
  EXPECT_EQ(tag_of("int char x;"), "D_DECL_COMBO");
  EXPECT_EQ(tag_of("struct s { int x; } int y;"), "D_DECL_COMBO");
  EXPECT_EQ(tag_of("struct s struct t x;"), "D_DECL_COMBO");
  EXPECT_EQ(tag_of("string int x;"), "D_DECL_COMBO");
  EXPECT_EQ(tag_of("short char x;"), "D_DECL_CHARATTR");
  EXPECT_EQ(tag_of("char long x;"), "D_DECL_CHARATTR");
  EXPECT_EQ(tag_of("unsigned void x;"), "D_DECL_VOIDATTR");
  EXPECT_EQ(tag_of("long void *x;"), "D_DECL_VOIDATTR");
  EXPECT_EQ(tag_of("unsigned float x;"), "D_DECL_SIGNINT");
  EXPECT_EQ(tag_of("signed struct s x;"), "D_DECL_SIGNINT");
  EXPECT_EQ(tag_of("unsigned string x;"), "D_DECL_SIGNINT");
  EXPECT_EQ(tag_of("long string x;"), "D_DECL_LONGINT");
  EXPECT_EQ(tag_of("long struct s x;"), "D_DECL_LONGINT");
  EXPECT_EQ(tag_of("static extern int x;"), "D_DECL_CLASS");
  EXPECT_EQ(tag_of("self this int x;"), "D_DECL_CLASS");
  EXPECT_EQ(printed("unsigned long long int x; long double y; signed char z;"),
            "unsigned long long int x;\nlong double y;\nsigned char z;\n");
}

TEST(Declaration, RejectsScopingMarksInNames) {
  EXPECT_EQ(tag_of("int a`b;"), "D_DECL_SCOPE");
  EXPECT_EQ(tag_of("struct s { int a`b; };"), "D_DECL_SCOPE");
  EXPECT_EQ(tag_of("enum { a`b };"), "D_DECL_SCOPE");
  EXPECT_EQ(tag_of("struct a`b { int c; };"), "D_SYNTAX");
}

TEST(Declaration, UserlandIsASpecifierOnlyBeforeAType) {
  EXPECT_EQ(printed("extern int f(userland char *);"), "extern int f(userland char *);\n");
  EXPECT_EQ(tag_of("BEGIN { userland = 1; trace((userland)); trace((userland char *)arg0); }"), "none");
}

TEST(Inline, ParsesFormsAndRejectsErrors) {
  EXPECT_EQ(printed("inline int x = 1 + 2;"), "inline int x = 1 + 2;\n");
  EXPECT_EQ(printed("inline string f[int a, char *b] = a ? stringof(b) : \"\";"),
            "inline string f[int a, char *b] = a ? stringof (b) : \"\";\n");
  EXPECT_EQ(message_of("inline x = 3;\n"), "syntax error near \"x = 3;\"");
  EXPECT_EQ(tag_of("inline int x = 1, 2;"), "D_SYNTAX");
}

TEST(Translator, ParsesAllForms) {
  EXPECT_EQ(printed("translator task_t < struct task *p > { a = p->a; b = 1, };"), "D_SYNTAX");
  EXPECT_EQ(printed("translator task_t < struct task *p > { a = p->a; b = 1; };"),
            "translator task_t < struct task *p > {\n  a = p->a;\n  b = 1;\n};\n");
  EXPECT_EQ(printed("translator struct s < int i > { };"), "translator struct s < int i > {\n};\n");
  EXPECT_EQ(printed("translator struct s < pid_t i > { }"), "D_SYNTAX");
  EXPECT_EQ(printed("translator struct s < int > { };"), "D_SYNTAX");
}

TEST(Provider, ParsesAllForms) {
  EXPECT_EQ(printed("provider p { probe a__b(int, char *x) : (char *x, int y); probe c(); };"),
            "provider p {\n  probe a__b(int, char *x) : (char *x, int y);\n  probe c();\n};\n");
  EXPECT_EQ(printed("provider p { int x; };"), "D_SYNTAX");
}

}  // namespace
}  // namespace dscope
