// Reads C headers by libclang: types with the compiler's layout, enumerators, and text that is not valid C.
#include "headers/c_headers.h"

#include <gtest/gtest.h>

namespace dscope {
namespace {

class CHeadersTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!can_read_c_headers()) GTEST_SKIP() << "needs libclang";
  }
  const Type& type(std::string_view name) {
    auto found = headers.find_type(types, name);
    EXPECT_TRUE(found) << name;
    return types.resolved(found.value_or(TypeTable::error_type()));
  }
  // "name:type@bits" of each member. Bit-fields have their width after the type.
  std::string members(std::string_view name) {
    std::string text;
    for (const TypeMember& member : type(name).members) {
      text += member.name + ":" + types.spell(member.type);
      if (member.bit_size != 0) text += "/" + std::to_string(member.bit_size);
      text += "@" + std::to_string(member.bit_offset) + " ";
    }
    return text;
  }

  CHeaders headers;
  TypeTable types;
};

TEST_F(CHeadersTest, StructsHaveTheCompilersLayout) {
  headers.add(
      "typedef unsigned int u32;\n"
      "struct s { char c; u32 u; short f : 3; int : 2; unsigned g : 7; long l[2][3]; double d; _Bool b; };\n"
      "struct __attribute__((packed)) p { char c; long l; struct s *s; };\n"
      "struct a { char c; int i __attribute__((aligned(16))); };\n"
      "union u { int i; char text[12]; void (*f)(int, ...); };\n"
      "struct v { int n; char tail[]; };\n");
  EXPECT_EQ(members("struct s"),
            "c:char@0 u:u32@32 f:short/3@64 g:unsigned int/7@69 l:long [2][3]@128 d:double@512 b:_Bool@576 ");
  EXPECT_EQ(type("struct s").size, 80U);
  EXPECT_EQ(members("struct p"), "c:char@0 l:long@8 s:struct s *@72 ");
  EXPECT_EQ(type("struct p").size, 17U);
  EXPECT_EQ(members("struct a"), "c:char@0 i:int@128 ");
  EXPECT_EQ(type("struct a").size, 32U);
  EXPECT_EQ(members("union u"), "i:int@0 text:char [12]@0 f:void (*)(int, ...)@0 ");
  EXPECT_EQ(members("struct v"), "n:int@0 tail:char []@32 ");
}

TEST_F(CHeadersTest, ReadsUnnamedMembersAndTypes) {
  headers.add(
      "typedef struct { int a; union { int b; struct { char c, d; }; }; enum { X = 4 } e; } t;\n"
      "struct outer { struct inner { int i; } in; };\n");
  const Type& record = type("t");
  ASSERT_EQ(record.members.size(), 3U);
  EXPECT_EQ(record.members[1].name, "");
  EXPECT_EQ(types.get(record.members[1].type).kind, TypeKind::Union);
  EXPECT_EQ(type("struct inner").size, 4U);
  EXPECT_EQ(headers.find_enumerator(types, "X")->value, 4);
}

TEST_F(CHeadersTest, ReadsEnumerators) {
  headers.add("enum e { A = -5, B, C = 1 << 20 };\nenum { LARGE = 1LL << 40 };\n");
  auto b = headers.find_enumerator(types, "B");
  ASSERT_TRUE(b);
  EXPECT_EQ(b->value, -4);
  EXPECT_EQ(types.spell(b->type), "enum e");
  EXPECT_EQ(types.get(b->type).enumerators.size(), 3U);
  EXPECT_EQ(headers.find_enumerator(types, "LARGE")->value, int64_t{1} << 40);
  EXPECT_FALSE(headers.find_enumerator(types, "e"));
  EXPECT_FALSE(headers.find_enumerator(types, "D"));
}

TEST_F(CHeadersTest, StructsMayPointAtEachOther) {
  headers.add("struct a { struct b *b; };\nstruct b { struct a *a; struct c *c; };\ntypedef struct a a_t;\n");
  EXPECT_EQ(members("struct b"), "a:struct a *@0 c:struct c *@64 ");
  EXPECT_EQ(types.find_header("struct a"), types.resolve(*headers.find_type(types, "a_t")));
  EXPECT_EQ(type("struct c").kind, TypeKind::Forward);
  EXPECT_EQ(headers.find_type(types, "a_t"), headers.find_type(types, "a_t"));
}

TEST_F(CHeadersTest, CompletesForwardDeclarationsAndKeepsExistingTypes) {
  TypeId forward = types.add({.kind = TypeKind::Forward, .name = "struct a"});
  types.define_header("struct a", forward);
  types.define_header("mine", types.int_type());
  headers.add("typedef char mine;\nstruct a { mine m; };\n");
  EXPECT_EQ(headers.find_type(types, "struct a"), forward);
  EXPECT_EQ(types.get(forward).kind, TypeKind::Struct);
  EXPECT_EQ(types.get(forward).members[0].type, types.int_type());
}

TEST_F(CHeadersTest, ReadsFunctionsAndExtensions) {
  headers.add(
      "extern int f(int) __attribute__((const)) __asm__(\"g\");\n"
      "static inline int twice(int x) { return x + undeclared_in_a_body; }\n"
      "_Static_assert(sizeof(int) == 4, \"int\");\nstatic const int table[] = {1, 2};\n"
      "__extension__ typedef __int128 wide __attribute__((aligned(16)));\n"
      "typedef __typeof__(table) copy; typedef __builtin_va_list list;\n"
      "struct last { wide w; _Atomic int i; int v __attribute__((vector_size(16))); };\n");
  EXPECT_EQ(type("struct last").size, 48U);
  EXPECT_EQ(type("copy").kind, TypeKind::Array);
  EXPECT_TRUE(headers.files_with_errors().empty());
}

TEST_F(CHeadersTest, ErrorsLoseOnlyTheirDeclaration) {
  headers.add(
      "# 1 \"good.h\" 1\nstruct a { int i; };\n# 7 \"bad.h\"\ninline int X = ;\ntranslator a < b >;\n# 2 \"good.h\"\n"
      "struct c { int i; };\n");
  EXPECT_EQ(type("struct a").size, 4U);
  EXPECT_EQ(type("struct c").size, 4U);
  EXPECT_EQ(headers.files_with_errors(), std::vector<std::string>{"bad.h"});
}

TEST_F(CHeadersTest, HandlesHugeAndNestedInput) {
  std::string deep = "int x = ";
  deep.append(100000, '(');
  headers.add(deep + "\n");
  EXPECT_FALSE(headers.find_type(types, "x"));
  std::string pointers = "typedef int ";
  pointers.append(5000, '*');
  headers.add(pointers + "deep;\n");
  EXPECT_TRUE(headers.find_type(types, "deep"));
  std::string chain;
  for (int i = 0; i < 3000; ++i)
    chain += "struct n" + std::to_string(i) + " { struct n" + std::to_string(i + 1) + " *next; };\n";
  headers.add(chain);
  EXPECT_EQ(type("struct n0").size, 8U);
  EXPECT_TRUE(types.find_header("struct n2999"));
}

TEST_F(CHeadersTest, FindsNearestType) {
  headers.add("struct sockaddr { int a; }; union sockaddr_any { int b; }; typedef int socklen;");
  EXPECT_EQ(headers.nearest_type("struct sokaddr"), "struct sockaddr");
  EXPECT_EQ(headers.nearest_type("union sokaddr"), "");
  EXPECT_EQ(headers.nearest_type("soklen"), "socklen");
}

TEST_F(CHeadersTest, FirstTextThatDeclaresANameWins) {
  headers.add("struct a { char c; };\n");
  headers.add("struct a { long l; };\nstruct b { struct a a; };\n");
  EXPECT_EQ(type("struct a").size, 1U);
  EXPECT_EQ(members("struct b"), "a:struct a@0 ");
}

}  // namespace
}  // namespace dscope
