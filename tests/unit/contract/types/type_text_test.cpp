// Parses C spellings of types, as in the kernel's format files.
#include "contract/types/type_text.h"

#include <gtest/gtest.h>

namespace dscope {
namespace {

std::string reread(TypeTable& types, std::string_view text) {
  auto nothing = [](const std::string&) { return std::optional<TypeId>{}; };
  auto type = read_type_text(types, text, PointerSpace::Kernel, nothing);
  return type ? types.spell(*type) : "nothing";
}

TEST(TypeText, ParsesIntegersInAnyOrder) {
  TypeTable types;
  EXPECT_EQ(reread(types, "unsigned"), "unsigned int");
  EXPECT_EQ(reread(types, "long unsigned int"), "unsigned long");
  EXPECT_EQ(reread(types, "long long"), "long long");
  EXPECT_EQ(reread(types, "short unsigned"), "unsigned short");
  EXPECT_EQ(reread(types, "signed char"), "signed char");
  EXPECT_EQ(reread(types, "pid_t"), "pid_t");
}

TEST(TypeText, ParsesPointersAndArrays) {
  TypeTable types;
  EXPECT_EQ(reread(types, "const char *"), "char *");
  EXPECT_EQ(reread(types, "const char *const *"), "char **");
  EXPECT_EQ(reread(types, "void __seg_gs *"), "void *");
  EXPECT_EQ(reread(types, "struct unknown *"), "void *");
  EXPECT_EQ(reread(types, "struct unknown"), "nothing");
  EXPECT_EQ(reread(types, "char[16]"), "char [16]");
}

TEST(TypeText, UserPointersAreMarkedAtEachLevel) {
  TypeTable types;
  auto nothing = [](const std::string&) { return std::optional<TypeId>{}; };
  auto type = read_type_text(types, "const char *const *", PointerSpace::User, nothing);
  ASSERT_TRUE(type);
  EXPECT_TRUE(types.get(*type).is_userland);
  EXPECT_TRUE(types.get(types.get(*type).base).is_userland);
}

TEST(TypeText, NamedTypesAreLookedUp) {
  TypeTable types;
  std::vector<std::string> asked;
  auto lookup = [&](const std::string& name) {
    asked.push_back(name);
    return std::optional{types.int_type()};
  };
  read_type_text(types, "const struct  iovec *", PointerSpace::User, lookup);
  read_type_text(types, "umode_t", PointerSpace::User, lookup);
  EXPECT_EQ(asked, (std::vector<std::string>{"struct iovec", "umode_t"}));
}

TEST(TypeText, ParsesDeclarations) {
  DeclarationText pointer = split_declaration("const char *const * argv");
  EXPECT_EQ(pointer.type, "const char *const *");
  EXPECT_EQ(pointer.name, "argv");
  DeclarationText tight = split_declaration("const void* ptr");
  EXPECT_EQ(tight.type, "const void*");
  DeclarationText array = split_declaration("__data_loc unsigned int[] cpus");
  EXPECT_EQ(array.type, "unsigned int");
  EXPECT_EQ(array.name, "cpus");
  EXPECT_EQ(array.array_suffix, "[]");
  EXPECT_TRUE(array.is_data_loc);
}

}  // namespace
}  // namespace dscope
