// Offsets of kernel members by path, and layouts with members that the kernel lacks.
#include "frontend/plan/kernel_members.h"

#include <gtest/gtest.h>

#include "tests/support/fake_host.h"

namespace dscope {
namespace {

constexpr std::string_view machine = R"(
fact kernel_release 6.18.0-fake
struct inner 16
  0 int first
  8 long second
end
struct task_struct 64
  8 struct inner inside
  32 struct inner * outside
end
)";

TEST(KernelMembers, AddsTheOffsetsOfEmbeddedObjects) {
  FakeHost host(machine);
  TypeTable types;
  KernelMembers members(host, types);
  EXPECT_EQ(members.offset_of("struct task_struct", "inside"), 8U);
  EXPECT_EQ(members.offset_of("struct task_struct", "inside.second"), 16U);
}

TEST(KernelMembers, TakesTheFirstPathThatTheKernelHas) {
  FakeHost host(machine);
  TypeTable types;
  KernelMembers members(host, types);
  EXPECT_EQ(members.offset_of("struct inner", "renamed|second|first"), 8U);
  EXPECT_EQ(members.offset_of("struct inner", "renamed|gone.first"), std::nullopt);
  EXPECT_EQ(members.offset_of("struct absent", "first"), std::nullopt);
}

TEST(KernelMembers, FollowsPointersStepByStep) {
  FakeHost host(machine);
  TypeTable types;
  std::vector<TaskMember> steps = KernelMembers(host, types).task_members("outside.second");
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0].path, "outside");
  EXPECT_EQ(steps[0].offset, 32U);
  EXPECT_TRUE(steps[0].is_pointer);
  EXPECT_EQ(steps[1].path, "outside.second");
  EXPECT_EQ(steps[1].offset, 8U);
  EXPECT_EQ(steps[1].size, 8U);
}

TEST(KernelMembers, LayoutsWithoutAMemberAreZero) {
  FakeHost host(machine);
  TypeTable types;
  KernelMembers members(host, types);
  EXPECT_EQ(members.path_layout().mount_point, 0U);
  EXPECT_EQ(members.route_layout().route6_type, 0U);
  EXPECT_FALSE(members.memory_layout().has_value());
}

}  // namespace
}  // namespace dscope
