// The tables of the processors: complete, without contradictions, and equal to those of the machine that runs the test.
#include "arch/architecture.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <sys/utsname.h>

#include <set>
#include <string>

namespace dscope::test {
namespace {

const Architecture* const all[] = {&x86_64, &aarch64};

TEST(Architecture, TheNativeOneHasTheNameOfTheMachine) {
  utsname names{};
  ASSERT_EQ(::uname(&names), 0);
  EXPECT_EQ(native_architecture().name, names.machine);
  EXPECT_EQ(&architecture_of({}), &native_architecture());
  MachineFacts facts;
  facts.machine = "aarch64";
  EXPECT_EQ(&architecture_of(facts), &aarch64);
  EXPECT_EQ(find_architecture("riscv64"), nullptr);
}

TEST(Architecture, SystemCallsAreUnique) {
  for (const Architecture* each : all) {
    std::set<uint32_t> numbers;
    std::set<std::string_view> names;
    for (const SystemCall& call : each->system_calls) {
      EXPECT_TRUE(numbers.insert(call.number).second) << each->name << " " << call.number;
      EXPECT_TRUE(names.insert(call.name).second) << each->name << " " << call.name;
    }
    EXPECT_GT(numbers.size(), 300U) << each->name;
  }
}

TEST(Architecture, SystemCallNumbersAreThoseOfTheHeader) {
  const std::pair<std::string_view, uint32_t> calls[] = {
      {"openat", SYS_openat}, {"read", SYS_read},     {"newfstat", SYS_fstat},         {"execve", SYS_execve},
      {"clone", SYS_clone},   {"clone3", SYS_clone3}, {"sched_yield", SYS_sched_yield}};
  for (auto [name, number] : calls) {
    const SystemCall* call = find_system_call(native_architecture(), name);
    ASSERT_NE(call, nullptr) << name;
    EXPECT_EQ(call->number, number) << name;
    EXPECT_EQ(find_system_call(native_architecture(), number), call) << name;
  }
}

// Calls with the same name have the same parameters, except for clone.
TEST(Architecture, SharedCallsHaveTheSameParameters) {
  size_t shared = 0;
  for (const SystemCall& call : aarch64.system_calls) {
    const SystemCall* other = find_system_call(x86_64, call.name);
    if (other == nullptr || call.name == "clone") continue;
    ++shared;
    EXPECT_EQ(call.parameters, other->parameters) << call.name;
  }
  EXPECT_GT(shared, 280U);
}

TEST(Architecture, ConstantsDependOnTheProcessor) {
  EXPECT_EQ(architecture_constant(x86_64, "R_PC"), 16U);
  EXPECT_EQ(architecture_constant(aarch64, "R_PC"), 32U);
  EXPECT_EQ(architecture_constant(aarch64, "R_RIP"), std::nullopt);
  EXPECT_EQ(architecture_constant(x86_64, "__nr_execve"), 59U);
  EXPECT_EQ(architecture_constant(aarch64, "__nr_execve"), 221U);
  EXPECT_EQ(architecture_constant(aarch64, "__nr_fork"), std::nullopt);
}

TEST(Architecture, RegisterNamesAgreeWithTheRegisters) {
  for (const Architecture* each : all) {
    EXPECT_EQ(architecture_constant(*each, "R_PC"), each->instruction_pointer / 8) << each->name;
    EXPECT_EQ(architecture_constant(*each, "R_SP"), each->stack_pointer / 8) << each->name;
    EXPECT_EQ(architecture_constant(*each, "R_R0"), each->functions.result / 8) << each->name;
    const UnwindRegisters& unwinding = each->unwinding;
    EXPECT_EQ(unwinding.offsets[unwinding.stack_pointer], each->stack_pointer) << each->name;
    EXPECT_EQ(architecture_constant(*each, "R_FP"), unwinding.offsets[unwinding.frame_pointer] / 8U) << each->name;
    for (auto [name, index] : each->register_names) EXPECT_LE(index, each->last_user_register()) << name;
  }
}

TEST(Architecture, Aarch64RefusesUprobesThatTheKernelRefuses) {
  auto is_unsupported = [](uint32_t instruction) {
    const uint8_t bytes[] = {static_cast<uint8_t>(instruction), static_cast<uint8_t>(instruction >> 8),
                             static_cast<uint8_t>(instruction >> 16), static_cast<uint8_t>(instruction >> 24)};
    return aarch64.is_unsupported_instruction({std::begin(bytes), std::end(bytes)});
  };
  EXPECT_TRUE(is_unsupported(0xd4000001));   // svc #0
  EXPECT_TRUE(is_unsupported(0xc85f7c20));   // ldxr x0, [x1]
  EXPECT_TRUE(is_unsupported(0xd65f0bff));   // retaa
  EXPECT_FALSE(is_unsupported(0xd65f03c0));  // ret
  EXPECT_FALSE(is_unsupported(0xa9bf7bfd));  // stp x29, x30, [sp, #-16]!
  EXPECT_FALSE(is_unsupported(0xd503245f));  // bti c
  EXPECT_FALSE(is_unsupported(0x97fffffc));  // bl -16
  EXPECT_FALSE(is_unsupported(0x38401c00));  // strb and others with the low byte of an x86 string instruction
}

}  // namespace
}  // namespace dscope::test
