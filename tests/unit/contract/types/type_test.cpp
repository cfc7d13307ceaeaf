// TypeTable: D's own types, their sizes and spellings.
#include "contract/types/type.h"

#include <gtest/gtest.h>

namespace dscope {
namespace {

class TypeTest : public testing::Test {
 protected:
  uint64_t size(const char* name) { return types.size_of(*types.find(name)); }
  TypeTable types{256};
};

TEST_F(TypeTest, HasIntegersOfAllSizes) {
  EXPECT_EQ(size("char"), 1U);
  EXPECT_EQ(size("short"), 2U);
  EXPECT_EQ(size("int"), 4U);
  EXPECT_EQ(size("long"), 8U);
  EXPECT_EQ(size("long long"), 8U);
  EXPECT_EQ(size("uint16_t"), 2U);
  EXPECT_EQ(size("pid_t"), 4U);
  EXPECT_TRUE(types.is_signed_integer(*types.find("int64_t")));
  EXPECT_FALSE(types.is_signed_integer(*types.find("size_t")));
  EXPECT_TRUE(types.is_signed_integer(*types.find("char")));
  EXPECT_FALSE(types.find("nosuch_t"));
}

TEST_F(TypeTest, LongsAreShortInTheSmallModel) {
  TypeTable small{256, DataModel::Ilp32};
  EXPECT_EQ(small.size_of(*small.find("long")), 4U);
  EXPECT_EQ(small.size_of(*small.find("int64_t")), 8U);
  EXPECT_EQ(small.size_of(small.integer(8, false)), 8U);
  EXPECT_EQ(small.size_of(*small.find("size_t")), 4U);
  EXPECT_EQ(small.spell(small.resolve(*small.find("pid_t"))), "long");
  EXPECT_EQ(small.size_of(small.declared_pointer_to(small.plain_char(), false)), 4U);
  TypeId task = small.add({.kind = TypeKind::Struct, .name = "struct task_struct", .size = 64, .origin = 1});
  EXPECT_EQ(small.size_of(small.declared_pointer_to(task, false)), 8U);
}

TEST_F(TypeTest, StringsIncludeTheirTerminator) {
  EXPECT_EQ(size("string"), 257U);
  types.set_strsize(16);
  EXPECT_EQ(size("string"), 17U);
  EXPECT_EQ(types.strsize(), 16U);
}

TEST_F(TypeTest, PointersAndArraysAreUniqueAndSpelledAsInC) {
  TypeId character = *types.find("char");
  TypeId pointer = types.pointer_to(character);
  EXPECT_EQ(types.pointer_to(character), pointer);
  EXPECT_EQ(types.spell(pointer), "char *");
  EXPECT_EQ(types.spell(types.pointer_to(pointer)), "char **");
  TypeId array = types.array_of(character, 16);
  EXPECT_EQ(types.array_of(character, 16), array);
  EXPECT_EQ(types.spell(array), "char [16]");
  EXPECT_EQ(types.spell(types.pointer_to(array)), "char (*)[16]");
  EXPECT_EQ(types.spell(types.array_of(types.array_of(character, 3), 2)), "char [2][3]");
  EXPECT_EQ(types.size_of(types.array_of(array, 4)), 64U);
}

TEST_F(TypeTest, TypedefsResolve) {
  TypeId pid = *types.find("pid_t");
  EXPECT_EQ(types.spell(pid), "pid_t");
  EXPECT_EQ(types.spell(types.resolve(pid)), "int");
  EXPECT_TRUE(types.is_integer(pid));
  EXPECT_TRUE(types.is_scalar(types.pointer_to(pid)));
}

TEST_F(TypeTest, StringsAndCharactersAreStringCompatible) {
  EXPECT_TRUE(types.is_string_compatible(*types.find("string")));
  EXPECT_TRUE(types.is_string_compatible(types.pointer_to(*types.find("char"))));
  EXPECT_TRUE(types.is_string_compatible(types.array_of(*types.find("uint8_t"), 4)));
  EXPECT_FALSE(types.is_string_compatible(types.pointer_to(*types.find("int"))));
  EXPECT_FALSE(types.is_string_compatible(*types.find("char")));
}

TEST_F(TypeTest, StructuresAlignToTheirWidestMember) {
  Type type{.kind = TypeKind::Struct, .name = "struct pair", .size = 16};
  type.members.push_back({.name = "a", .type = *types.find("char"), .bit_offset = 0});
  type.members.push_back({.name = "b", .type = *types.find("long"), .bit_offset = 64});
  TypeId id = types.add(type);
  EXPECT_EQ(types.alignment_of(id), 8U);
  EXPECT_EQ(types.alignment_of(types.array_of(*types.find("short"), 5)), 2U);
  EXPECT_EQ(types.alignment_of(*types.find("long double")), 16U);
  EXPECT_TRUE(types.is_struct_or_union(id));
}

}  // namespace
}  // namespace dscope
