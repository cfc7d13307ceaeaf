// Where functions receive arguments and return results, by the rules of both processors. The types are made by hand.
#include "runtime/providers/process/argument_passing.h"

#include <gtest/gtest.h>

namespace dscope::test {
namespace {

class ArgumentPassing : public testing::Test {
 protected:
  // A struct of members of one type, one behind the other.
  TypeId object(TypeId member, uint32_t count) {
    Type type{.kind = TypeKind::Struct, .name = "struct object", .size = uint64_t{types_.size_of(member)} * count};
    for (uint32_t i = 0; i < count; ++i)
      type.members.push_back({.type = member, .bit_offset = i * 8 * static_cast<uint32_t>(types_.size_of(member))});
    return types_.add(type);
  }
  TypeId mixed() {
    return types_.add({.kind = TypeKind::Struct,
                       .name = "struct mixed",
                       .size = 16,
                       .members = {{.type = real(), .bit_offset = 0}, {.type = word(), .bit_offset = 64}}});
  }
  TypeId word() const { return types_.integer(8, true); }
  TypeId real() { return types_.add({.kind = TypeKind::Float, .name = "double", .size = 8}); }

  TypeTable types_;
  ProcessTypes process_types_;
  ArgumentLocations on_x86_{types_, process_types_, x86_64}, on_arm_{types_, process_types_, aarch64};
};

ArgSource in_register(int64_t offset) {
  return {.kind = ArgSourceKind::Register, .offset = offset, .size = 8, .is_signed = true};
}

TEST_F(ArgumentPassing, IntegersUseRegistersAndThenTheStack) {
  for (uint32_t i = 0; i < 8; ++i) {
    EXPECT_EQ(on_arm_.next({.type = word()}), in_register(i * 8));
    if (i >= 6) continue;
    EXPECT_EQ(on_x86_.next({.type = word()}), in_register(x86_64.functions.arguments[i]));
  }
  ArgSource on_stack{.kind = ArgSourceKind::StackWord, .offset = 0, .size = 8, .is_signed = true};
  EXPECT_EQ(on_arm_.next({.type = word()}), on_stack);
  on_stack.offset = 8;  // above the return address
  EXPECT_EQ(on_x86_.next({.type = word()}), on_stack);
  EXPECT_EQ(on_arm_.next({.type = word()}), on_stack);
}

TEST_F(ArgumentPassing, ObjectsOfTwoWordsUseTwoRegisters) {
  TypeId pair = object(word(), 2);
  auto on_arm = on_arm_.next({.type = pair});
  ASSERT_TRUE(on_arm);
  EXPECT_EQ(on_arm->kind, ArgSourceKind::RegisterPair);
  EXPECT_EQ(on_arm->offset, 0);
  EXPECT_EQ(on_arm->base, 8U);
  EXPECT_EQ(on_x86_.next({.type = pair})->kind, ArgSourceKind::RegisterPair);
  EXPECT_EQ(on_arm_.result({.type = pair})->base, 8U);
}

TEST_F(ArgumentPassing, LargeObjectsAreCopiedOrPassedByAddress) {
  TypeId large = object(word(), 3);
  auto on_arm = on_arm_.next({.type = large});
  ASSERT_TRUE(on_arm);
  EXPECT_EQ(on_arm->kind, ArgSourceKind::UserMemory);
  EXPECT_EQ(on_arm->base, 0U);
  EXPECT_EQ(on_arm_.next({.type = word()}), in_register(8));
  EXPECT_EQ(on_x86_.next({.type = large})->kind, ArgSourceKind::StackWord);
  EXPECT_EQ(on_x86_.next({.type = word()}), in_register(x86_64.functions.arguments[0]));
}

TEST_F(ArgumentPassing, ResultsInMemoryHaveAnAddressOnX86Only) {
  TypeId large = object(word(), 3);
  on_arm_.reserve_result({.type = large});
  on_x86_.reserve_result({.type = large});
  EXPECT_EQ(on_arm_.next({.type = word()}), in_register(0));
  EXPECT_EQ(on_x86_.next({.type = word()}), in_register(x86_64.functions.arguments[1]));
  EXPECT_FALSE(on_arm_.result({.type = large}));
  EXPECT_EQ(on_x86_.result({.type = large})->kind, ArgSourceKind::UserMemory);
}

// Four doubles fit into vector registers, a struct with an integer does not; System V decides for each eight bytes.
TEST_F(ArgumentPassing, FloatingPointNumbersUseVectorRegisters) {
  EXPECT_EQ(on_arm_.next({.type = object(real(), 4)})->kind, ArgSourceKind::VectorRegister);
  EXPECT_EQ(on_arm_.next({.type = mixed()})->kind, ArgSourceKind::RegisterPair);
  EXPECT_EQ(on_arm_.next({.type = word()}), in_register(16));
  EXPECT_EQ(on_x86_.next({.type = mixed()})->kind, ArgSourceKind::VectorRegister);
  EXPECT_EQ(on_x86_.next({.type = word()}), in_register(x86_64.functions.arguments[1]));
}

// On arm64 no register is used behind the first argument on the stack.
TEST_F(ArgumentPassing, ObjectsAreNotSplit) {
  for (uint32_t i = 0; i < 7; ++i) on_arm_.next({.type = word()});
  for (uint32_t i = 0; i < 5; ++i) on_x86_.next({.type = word()});
  TypeId pair = object(word(), 2);
  EXPECT_EQ(on_arm_.next({.type = pair})->kind, ArgSourceKind::StackWord);
  EXPECT_EQ(on_x86_.next({.type = pair})->kind, ArgSourceKind::StackWord);
  EXPECT_EQ(on_arm_.next({.type = word()})->kind, ArgSourceKind::StackWord);
  EXPECT_EQ(on_x86_.next({.type = word()}), in_register(x86_64.functions.arguments[5]));
}

}  // namespace
}  // namespace dscope::test
