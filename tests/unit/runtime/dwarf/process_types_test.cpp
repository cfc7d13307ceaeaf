// Reads types from this test program's own debug information (-g2).
#include "runtime/dwarf/process_types.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "runtime/dwarf/die_search.h"

struct TypesTestNode {
  int number;
  const char* text;
  TypesTestNode* next;
  struct Undefined* undefined;
  unsigned low : 3, high : 7;
  long long wide;
  char table[2][3];
};
namespace types_test {
struct Base {
  short in_base;
};
struct Derived : Base {
  static int shared;
  enum class Kind : unsigned char { Zero, Nine = 9 } kind;
  TypesTestNode& node;
};
int Derived::shared = 1;
using Alias = Derived;

// Instances of a template have nested types of equal names and sizes.
template <typename T>
struct Holder {
  struct Data {
    T* first;
  } data;
};
struct Holders {
  Holder<int> numbers;
  Holder<TypesTestNode> nodes;
};
}  // namespace types_test

namespace dscope {
namespace {

// Keeps the types in the debug information.
[[gnu::used]] types_test::Alias* used = nullptr;
[[gnu::used]] types_test::Holders* used_holders = nullptr;

class ProcessTypesTest : public testing::Test {
 protected:
  std::optional<TypeId> find(const std::string& name, std::string_view object = {}) {
    return processes_.find(types_, {.pid = static_cast<uint32_t>(::getpid()), .object = object}, name);
  }
  const Type& completed(TypeId id) {
    processes_.complete(types_, id);
    return types_.resolved(id);
  }

  TypeTable types_;
  ProcessTypes processes_;
};

TEST_F(ProcessTypesTest, ReadsMembersOfStructs) {
  auto node = find("struct TypesTestNode");
  ASSERT_TRUE(node);
  EXPECT_EQ(find("TypesTestNode"), node);
  EXPECT_EQ(types_.size_of(*node), sizeof(TypesTestNode));
  const Type& type = completed(*node);
  ASSERT_EQ(type.members.size(), 8U);
  EXPECT_EQ(type.members[0].name, "number");
  EXPECT_EQ(types_.spell(type.members[1].type), "char *");
  EXPECT_EQ(type.members[2].bit_offset, offsetof(TypesTestNode, next) * 8);
  EXPECT_EQ(types_.resolved(type.members[2].type).base, *node);
  EXPECT_EQ(type.members[5].bit_size, 7U);
  EXPECT_EQ(type.members[5].bit_offset, type.members[4].bit_offset + 3);
  EXPECT_EQ(types_.spell(type.members[6].type), "long long");
  EXPECT_EQ(types_.spell(type.members[7].type), "char [2][3]");
}

TEST_F(ProcessTypesTest, MarksPointersAsUserland) {
  auto node = find("TypesTestNode");
  ASSERT_TRUE(node);
  EXPECT_TRUE(types_.get(types_.pointer_to(*node)).is_userland);
  EXPECT_TRUE(types_.get(completed(*node).members[1].type).is_userland);
  auto number = find("int");
  ASSERT_TRUE(number);
  EXPECT_TRUE(types_.get(types_.pointer_to(*number)).is_userland);
  EXPECT_FALSE(types_.get(types_.pointer_to(types_.int_type())).is_userland);
}

TEST_F(ProcessTypesTest, DeclaredStructsStayIncomplete) {
  auto node = find("TypesTestNode");
  ASSERT_TRUE(node);
  TypeId target = types_.resolved(completed(*node).members[3].type).base;
  EXPECT_EQ(completed(target).kind, TypeKind::Forward);
}

TEST_F(ProcessTypesTest, FindsCxxNames) {
  auto derived = find("types_test::Derived");
  ASSERT_TRUE(derived);
  EXPECT_EQ(find("struct Derived"), derived);
  EXPECT_EQ(types_.resolve(*find("types_test::Alias")), *derived);
  EXPECT_FALSE(find("other::Derived"));
  const Type& type = completed(*derived);
  ASSERT_EQ(type.members.size(), 3U);
  EXPECT_EQ(type.members[0].name, "");
  EXPECT_EQ(completed(type.members[0].type).members.at(0).name, "in_base");
  EXPECT_EQ(types_.spell(type.members[2].type), "struct TypesTestNode *");
  auto kind = find("enum types_test::Derived::Kind");
  ASSERT_TRUE(kind);
  EXPECT_EQ(types_.size_of(*kind), 1U);
  EXPECT_EQ(completed(*kind).enumerators.at(1).value, 9);
}

TEST_F(ProcessTypesTest, TypesOfEqualNameAndSizeStayApart) {
  auto holders = find("types_test::Holders");
  ASSERT_TRUE(holders);
  const std::vector<TypeMember> members = completed(*holders).members;
  ASSERT_EQ(members.size(), 2U);
  std::vector<std::string> spelled;
  for (const TypeMember& member : members) {
    TypeId data = completed(member.type).members.at(0).type;
    spelled.push_back(types_.spell(completed(data).members.at(0).type));
  }
  EXPECT_EQ(spelled, (std::vector<std::string>{"int *", "struct TypesTestNode *"}));
}

TEST_F(ProcessTypesTest, EachTableGetsItsOwnRows) {
  auto first = find("struct TypesTestNode");
  TypeTable others;
  auto second = processes_.find(others, {.pid = static_cast<uint32_t>(::getpid()), .object = {}}, "TypesTestNode");
  ASSERT_TRUE(first && second);
  processes_.complete(others, *second);
  EXPECT_FALSE(types_.get(*first).is_complete);
  EXPECT_EQ(others.get(*second).members.size(), 8U);
}

TEST_F(ProcessTypesTest, ExplainsMissingTypes) {
  auto self = static_cast<uint32_t>(::getpid());
  EXPECT_FALSE(find("struct not_described_anywhere"));
  EXPECT_EQ(processes_.why_missing({.pid = self, .object = {}}), "");
  EXPECT_NE(processes_.why_missing({.pid = self, .object = "libnone"}).find("no object `libnone`"), std::string::npos);
  EXPECT_NE(processes_.why_missing({.pid = 0, .object = {}}).find("process 0 does not exist"), std::string::npos);
  EXPECT_TRUE(find("struct TypesTestNode", "host_tests"));
  EXPECT_FALSE(find("struct TypesTestNode", "libc"));
}

TEST(ProcessScope, ParsesPidAndObject) {
  auto scope = parse_process_scope("pid12`libc.so.6");
  ASSERT_TRUE(scope);
  EXPECT_EQ(scope->pid, 12U);
  EXPECT_EQ(scope->object, "libc.so.6");
  EXPECT_FALSE(parse_process_scope("pid"));
  EXPECT_FALSE(parse_process_scope("pid12x"));
  EXPECT_FALSE(parse_process_scope("vmlinux"));
}

TEST(TypeQuery, IsSplitAtScopes) {
  TypeQuery query{"struct a::b<c::d>::e<f>"};
  EXPECT_EQ(query.keyword, "struct");
  EXPECT_EQ(query.enclosing, (std::vector<std::string_view>{"a", "b<c::d>"}));
  EXPECT_EQ(query.name, "e<f>");
  EXPECT_EQ(TypeQuery{"::size_t"}.name, "size_t");
}

}  // namespace
}  // namespace dscope
