// Types that D programs define: layout and names (d-language.md 2.2).
#include "check_text.h"

namespace dscope {
namespace {

// "name@bit_offset[:width] ... size" of struct `name`.
std::string layout_of(const std::string& declarations, const std::string& name) {
  CheckedText checked(declarations + " BEGIN { exit(0); }");
  if (checked.failed()) return checked.tag() + ": " + checked.message();
  auto id = checked.types().find(name);
  if (!id) return "none";
  std::string text;
  const Type& type = checked.types().resolved(*id);
  for (const TypeMember& member : type.members) {
    text += fmt::format("{}@{}", member.name, member.bit_offset);
    if (member.bit_size != 0) text += fmt::format(":{}", member.bit_size);
    text += ' ';
  }
  return text + fmt::format("{}", type.size);
}

TEST(Layout, AlignsNaturally) {
  EXPECT_EQ(layout_of("struct s { char a; int b; char c; long d; };", "struct s"), "a@0 b@32 c@64 d@128 24");
  EXPECT_EQ(layout_of("struct s { char a; short b[3]; };", "struct s"), "a@0 b@16 8");
  EXPECT_EQ(layout_of("union u { char a; int b; long c[2]; };", "union u"), "a@0 b@0 c@0 16");
  EXPECT_EQ(layout_of("struct s { char a; string b; char c; };", "struct s"), "a@0 b@8 c@2064 259");
}

TEST(Layout, NestsTypes) {
  EXPECT_EQ(layout_of("struct s { char a; struct { int x; char y; } b; char c; };", "struct s"), "a@0 b@32 c@96 16");
  EXPECT_EQ(layout_of("struct s { char a; struct task_struct t; };", "struct s"), "a@0 t@64 3208");
}

TEST(Layout, PacksBitFields) {
  EXPECT_EQ(layout_of("struct s { int a:3; int b:5; int c:25; int d; };", "struct s"), "a@0:3 b@3:5 c@32:25 d@64 12");
  EXPECT_EQ(layout_of("struct s { char a; int b:4; };", "struct s"), "a@0 b@8:4 4");
  EXPECT_EQ(layout_of("struct s { int a:3; int :0; int b:3; };", "struct s"), "a@0:3 b@32:3 8");
  EXPECT_EQ(layout_of("struct s { int a:3; int :5; int b:3; };", "struct s"), "a@0:3 b@8:3 4");
  EXPECT_EQ(layout_of("struct s { char a:6; char b:6; };", "struct s"), "a@0:6 b@8:6 2");
}

TEST(Types, ForwardDeclarationsAreCompleted) {
  EXPECT_EQ(tag_of("struct b; struct a { struct b *p; }; struct b { int x; }; struct a v; BEGIN { trace(v.p->x); }"),
            "none");
  EXPECT_EQ(tag_of("struct list { struct list *next; int x; }; struct list *p; BEGIN { trace(p->next->next->x); }"),
            "none");
}

TEST(Types, DefinitionsHideKernelTypes) {
  EXPECT_EQ(tag_of("struct mutex { int mine; }; struct mutex m; BEGIN { m.mine = 1; }"), "none");
  EXPECT_EQ(tag_of("struct vmlinux`mutex *p; struct mutex { int mine; }; BEGIN { trace(p->owner); }"), "none");
}

TEST(Types, StructsMayReferToThemselves) {
  EXPECT_EQ(tag_of("struct list_head { struct list_head *next; int mine; }; struct list_head *p;"
                   "BEGIN { trace(p->next->mine); }"),
            "none");
  EXPECT_EQ(tag_of("struct mutex { struct mutex m; int x; }; BEGIN { trace(1); }"), "D_DECL_INCOMPLETE");
}

TEST(Types, TypedefsAreResolved) {
  EXPECT_EQ(type_of("x = v.a", "typedef struct { int a; } t; t v;"), "int");
  EXPECT_EQ(type_of("x = p->pid", "typedef struct task_struct *task_p; task_p p;"), "pid_t");
  EXPECT_EQ(type_of("x = f", "typedef int (*fn)(int, char *); fn f;"), "fn");
}

TEST(Types, DeclaratorsAreNested) {
  EXPECT_EQ(type_of("x = a[1]", "char *a[4];"), "char *");
  EXPECT_EQ(type_of("x = (*a)[1]", "char (*a)[4];"), "char");
  EXPECT_EQ(type_of("x = a[1][2]", "int a[4][5];"), "int");
  EXPECT_EQ(tag_of("int a[4][5]; BEGIN { a[3][5] = 1; }"), "D_ARR_BOUNDS");
  EXPECT_EQ(type_of("x = a[1][2]", "int a[int][4];"), "int") << "array as the value of an associative array";
}

TEST(Types, StructsAreCopiedByValue) {
  EXPECT_EQ(tag_of("struct s { int a; string b; }; struct s x; this struct s y; struct s z[int];"
                   "BEGIN { x.a = 1; this->y = x; z[1] = this->y; trace(z[1].b); }"),
            "none");
}

TEST(Types, ExternSetsTheTypeOfSymbols) {
  EXPECT_EQ(tag_of("extern int nothing_of_ours; int f(int, ...); BEGIN { trace(1); }"), "none");
  EXPECT_EQ(tag_of("extern int x; BEGIN { trace(x); }"), "D_IDENT_UNDEF");
}

TEST(Types, RetypingDefinesOnce) { EXPECT_EQ(tag_of("BEGIN, END { trace(sizeof(struct once { int a; })); }"), "none"); }

TEST(Declarations, AcceptProvidersAndPragmas) {
  EXPECT_EQ(tag_of("provider foo { probe start__now(int a, char *b) : (int a); probe end(); };"
                   "BEGIN { exit(0); }"),
            "none");
  EXPECT_EQ(tag_of("#pragma D depends_on provider syscall\n#pragma D depends_on module vmlinux\n"
                   "#pragma D attributes Stable/Stable/Common x\n#pragma D binding \"1.0\" x\nint x; BEGIN { x = 1; }"),
            "none");
}

// Wraps text in the line markers of an included file.
std::string header(const std::string& text) { return "# 1 \"x.h\" 1\n" + text + "\n# 9 \"test.d\" 2\n"; }

TEST(HeaderScope, HasTypesOfItsOwn) {
  EXPECT_EQ(tag_of(header("struct s { int a; };") + "struct s { int a; int b; }; BEGIN { }"), "none");
  EXPECT_EQ(tag_of(header("struct s { int a; }; struct s { int b; };") + "BEGIN { }"), "D_DECL_TYPERED");
  EXPECT_EQ(tag_of(header("typedef char s_t; typedef char s_t;") + "typedef int s_t; BEGIN { }"), "none");
  EXPECT_EQ(tag_of(header("typedef char s_t; typedef int s_t;") + "BEGIN { }"), "D_DECL_IDRED");
  EXPECT_EQ(tag_of(header("typedef char s_t;") + "int s_t; BEGIN { }"), "D_DECL_IDRED");
  EXPECT_EQ(type_of("sizeof (struct C`s)", header("struct s { int a; };")), "size_t");
  EXPECT_EQ(tag_of(header("struct s { int a; };") + "BEGIN { x = sizeof (struct D`s); }"), "D_UNKNOWN");
  EXPECT_EQ(tag_of("struct s { int a; }; BEGIN { x = sizeof (struct C`s); }"), "D_UNKNOWN");
}

TEST(HeaderScope, DoesNotSeeTheKernel) {
  EXPECT_EQ(tag_of("struct x { struct list_head l; }; BEGIN { }"), "none");
  EXPECT_EQ(tag_of(header("struct x { struct list_head l; };") + "BEGIN { }"), "D_DECL_INCOMPLETE");
  // Constructs other than declarations see the kernel: included clauses and inlines are D code.
  EXPECT_EQ(tag_of(header("inline int X = sizeof (struct list_head); BEGIN { }")), "none");
}

TEST(HeaderScope, EnumeratorsYieldToBuiltins) {
  EXPECT_EQ(tag_of("enum e { pid, OTHER }; BEGIN { }"), "D_DECL_IDRED");
  CheckedText checked(header("enum e { pid, OTHER };") + "BEGIN { x = OTHER; y = pid; }");
  ASSERT_FALSE(checked.failed()) << checked.message();
  EXPECT_EQ(checked.value(0).constant, 1U);
  EXPECT_FALSE(checked.value(1).constant);
}

TEST(HeaderScope, ForwardDeclarationDoesNotHideADefinition) {
  EXPECT_EQ(tag_of(header("struct s;") + "struct s { int a; }; BEGIN { x = sizeof (struct s); }"), "none");
  EXPECT_EQ(tag_of(header("struct list_head;") + "BEGIN { x = sizeof (struct list_head); }"), "none");
}

}  // namespace
}  // namespace dscope
