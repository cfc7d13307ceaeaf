// Estimates from instructions: stack, helpers, work of the verifier, time of a firing.
#include "runtime/load/program_estimate.h"

#include <gtest/gtest.h>

namespace dscope {
namespace {

constexpr bpf_insn exit_program{.code = BPF_JMP | BPF_EXIT, .dst_reg = 0, .src_reg = 0, .off = 0, .imm = 0};

bpf_insn helper(int32_t number) {
  return {.code = BPF_JMP | BPF_CALL, .dst_reg = 0, .src_reg = 0, .off = 0, .imm = number};
}
bpf_insn local_call(int32_t distance) {
  return {.code = BPF_JMP | BPF_CALL, .dst_reg = 0, .src_reg = BPF_PSEUDO_CALL, .off = 0, .imm = distance};
}
bpf_insn jump_if(uint8_t operation, uint8_t reg, int32_t value, int16_t distance) {
  return {.code = static_cast<uint8_t>(BPF_JMP | operation | BPF_K),
          .dst_reg = static_cast<uint8_t>(reg & 0xf),
          .src_reg = 0,
          .off = distance,
          .imm = value};
}
bpf_insn claim(int16_t bytes) {
  return {.code = BPF_ST | BPF_MEM | BPF_DW, .dst_reg = BPF_REG_10, .src_reg = 0, .off = bytes, .imm = 0};
}
bpf_insn load_map(int32_t index) {
  return {.code = BPF_LD | BPF_IMM | BPF_DW, .dst_reg = 1, .src_reg = BPF_PSEUDO_MAP_FD, .off = 0, .imm = index};
}

// The functions of a program, each the instructions of one part.
LinkedProgram linked(const std::vector<std::vector<bpf_insn>>& functions) {
  LinkedProgram program;
  for (const auto& function : functions) {
    bool claims_stack = function[0].code == (BPF_ST | BPF_MEM | BPF_DW);
    program.parts.push_back({.section = 1,
                             .offset = 0,
                             .size = (function.size() - (claims_stack ? 1 : 0)) * sizeof(bpf_insn),
                             .first_instruction = static_cast<uint32_t>(program.instructions.size()),
                             .claims_stack = claims_stack});
    program.instructions.insert(program.instructions.end(), function.begin(), function.end());
  }
  return program;
}

TEST(ProgramEstimate, AddsStackAndInstructionsOfCalledFunctions) {
  // Two calls of a function of 2 instructions.
  auto estimate = estimate_program(
      linked({{claim(-24), local_call(2), local_call(1), exit_program}, {claim(-40), exit_program}}), {});
  EXPECT_EQ(estimate.instructions, 6U);
  EXPECT_EQ(estimate.stack_bytes, 32U + 48U);
  EXPECT_EQ(estimate.verifier_instructions, 10U);  // 1.25 times the 4 instructions of the program and twice 2
  EXPECT_GT(estimate.max_ns, 2 * 11);
}

TEST(ProgramEstimate, TellsCheapFromExpensivePaths) {
  // The first branch is the test whether tracing is on, the second a predicate.
  auto estimate = estimate_program(
      linked({{jump_if(BPF_JEQ, 2, 1, 1), exit_program, jump_if(BPF_JEQ, 3, 0, 1), helper(16), exit_program}}), {});
  EXPECT_EQ(estimate.helpers, std::set<uint32_t>{16});
  EXPECT_LT(estimate.min_ns, 2);
  EXPECT_NEAR(estimate.max_ns, 38, 1);
  EXPECT_FALSE(estimate.has_loops);
}

TEST(ProgramEstimate, AssumesThatElementsExist) {
  const std::vector<MapPlan> maps = {
      {.name = "ds_agg_0", .kind = MapKind::Hash, .key_size = 64, .value_size = 8, .max_entries = 1}};
  // A lookup, then an update where it found nothing.
  auto estimate = estimate_program(
      linked({{load_map(0), bpf_insn{}, helper(1), jump_if(BPF_JEQ, 0, 0, 1), exit_program, helper(2), exit_program}}),
      maps);
  EXPECT_NEAR(estimate.max_ns, 47, 3);
  EXPECT_EQ(estimate.helpers, (std::set<uint32_t>{1, 2}));
}

TEST(ProgramEstimate, RunsLoopsOnce) {
  auto estimate = estimate_program(linked({{helper(5), jump_if(BPF_JNE, 6, 0, -2), exit_program}}), {});
  EXPECT_TRUE(estimate.has_loops);
  EXPECT_NEAR(estimate.max_ns, 33, 1);
}

}  // namespace
}  // namespace dscope
