// The costs are those of kernel-facts.md D, measured on one machine. The end of that section compares estimates with
// measurements.
#include "runtime/load/program_estimate.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "contract/bpf_helpers.h"
#include "runtime/load/instruction_codes.h"
#include "support/check.h"

namespace dscope {

namespace {

constexpr double instruction_ns = 0.25, call_ns = 11;
constexpr uint32_t frame_alignment = 16;
// How often the verifier follows an instruction outside and inside of loops. On Linux 6.18, of 57 programs (one-liners
// and tools) 39 had 0.75 to 1.33 times the estimate in bpf_prog_info.verified_insns, all but 4 had 0.5 to 1.5 times.
// The others call string functions with nested loops: 2.4 to 5.6 times.
constexpr double verifier_factor = 1.25, verifier_loop_factor = 10;

enum HelperNumber : int32_t { map_lookup = 1, map_update = 2, map_delete = 3, reserve = 131, storage_get = 156 };

bool is_jump(const bpf_insn& instruction) {
  uint8_t kind = BPF_CLASS(instruction.code), operation = BPF_OP(instruction.code);
  return (kind == BPF_JMP || kind == BPF_JMP32) && operation != BPF_CALL && operation != BPF_EXIT;
}
bool is_exit(const bpf_insn& instruction) { return instruction.code == (BPF_JMP | BPF_EXIT); }
bool is_local_call(const bpf_insn& instruction) {
  return instruction.code == call_instruction && instruction.src_reg == BPF_PSEUDO_CALL;
}
bool is_helper_call(const bpf_insn& instruction) {
  return instruction.code == call_instruction && instruction.src_reg == 0;
}
// An instruction that takes the address of a function, as for bpf_loop().
bool is_function_address(const bpf_insn& instruction) {
  return instruction.code == load_immediate64 && instruction.src_reg == BPF_PSEUDO_FUNC;
}
bool may_return_null(int32_t helper) { return helper == map_lookup || helper == reserve || helper == storage_get; }

double map_ns(int32_t helper, const MapPlan& map) {
  bool is_lookup = helper == map_lookup;
  switch (map.kind) {
    case MapKind::Array:
    case MapKind::ChunkTable:
    case MapKind::RingTable: return is_lookup ? 2 : 10;
    case MapKind::PerCpuArray: return is_lookup ? 3.4 : 10;
    case MapKind::Hash:
    case MapKind::PerCpuHash: return (is_lookup ? 28 : map.no_prealloc ? 155 : 93) + 0.3 * map.key_size;
    case MapKind::RingBuffer:
    case MapKind::TaskStorage: return 20;
  }
  DS_UNREACHABLE();
}

// A function of the program, [begin, end) in its instructions.
struct Body {
  uint32_t begin = 0, end = 0;
  bool is_global = false;
  uint32_t own_stack = 0;
  std::vector<size_t> callees;  // one per call, and per address taken
  double min_ns = 0, max_ns = 0;
  uint32_t loop_instructions = 0;
  std::optional<double> verified;
};

class Estimator {
 public:
  Estimator(const LinkedProgram& program, std::span<const MapPlan> maps) : code_(program.instructions), maps_(maps) {
    for (const LinkedPart& part : program.parts) {
      uint32_t begin = part.first_instruction;
      auto size = static_cast<uint32_t>(part.size / sizeof(bpf_insn)) + (part.claims_stack ? 1 : 0);
      uint32_t stack = part.claims_stack ? static_cast<uint32_t>(-code_[begin].off) : 0;
      Body& body = bodies_.emplace_back();
      body.begin = begin;
      body.end = begin + size;
      body.is_global = part.global_parameters.has_value();
      body.own_stack = stack;
    }
    for (Body& body : bodies_) find_callees(body);
    is_costed_.resize(bodies_.size());
  }

  ProgramEstimate estimate() {
    result_.instructions = static_cast<uint32_t>(code_.size());
    if (bodies_.empty()) return result_;
    for (const bpf_insn& instruction : code_)
      if (is_helper_call(instruction)) result_.helpers.insert(static_cast<uint32_t>(instruction.imm));
    result_.stack_bytes = stack_of(0, 0);
    cost_of(0, 0);
    double verified = verified_of(0, 0);
    for (size_t i = 1; i < bodies_.size(); ++i)
      if (bodies_[i].is_global) verified += verified_of(i, 0);
    result_.verifier_instructions = static_cast<uint64_t>(std::llround(verified));
    result_.min_ns = bodies_[0].min_ns;
    result_.max_ns = bodies_[0].max_ns;
    return result_;
  }

 private:
  static constexpr int max_depth = 16;  // the kernel allows 8 frames

  size_t body_at(int64_t instruction) const {
    for (size_t i = 0; i < bodies_.size(); ++i)
      if (bodies_[i].begin == instruction) return i;
    return 0;
  }
  size_t target_of(uint32_t at) const { return body_at(int64_t{at} + code_[at].imm + 1); }

  void find_callees(Body& body) {
    for (uint32_t i = body.begin; i < body.end; ++i) {
      if (is_local_call(code_[i]) || is_function_address(code_[i])) body.callees.push_back(target_of(i));
      if (code_[i].code == load_immediate64) ++i;
    }
  }

  uint32_t stack_of(size_t body, int depth) const {
    uint32_t deepest = 0;
    if (depth < max_depth)
      for (size_t callee : bodies_[body].callees) deepest = std::max(deepest, stack_of(callee, depth + 1));
    uint32_t own = bodies_[body].own_stack;
    return (own + frame_alignment - 1) / frame_alignment * frame_alignment + deepest;
  }

  // The kernel verifies a global function once, and other functions at every call.
  double verified_of(size_t index, int depth) {
    Body& body = bodies_[index];
    if (body.verified) return *body.verified;
    double count = verifier_factor * (body.end - body.begin - body.loop_instructions) +
                   verifier_loop_factor * body.loop_instructions;
    if (depth < max_depth)
      for (size_t callee : body.callees)
        if (!bodies_[callee].is_global) count += verified_of(callee, depth + 1);
    body.verified = count;
    return count;
  }

  // ---- time

  struct Step {
    double own = 0;
    std::vector<uint32_t> next;
    std::optional<uint32_t> rare;  // a successor that only null results take
  };

  void cost_of(size_t index, int depth) {
    if (is_costed_[index] || depth > max_depth) return;
    is_costed_[index] = true;
    for (size_t callee : bodies_[index].callees) cost_of(callee, depth + 1);
    Body& body = bodies_[index];
    steps_.assign(body.end - body.begin, {});
    for (uint32_t i = body.begin; i < body.end; ++i) steps_[i - body.begin] = step_of(body, i);
    find_rare_branches(body);
    walk_paths(body, index == 0);
  }

  Step step_of(const Body& body, uint32_t at) const {
    const bpf_insn& instruction = code_[at];
    Step step{.own = instruction_ns + call_cost(at), .next = {}, .rare = {}};
    auto add = [&](int64_t to) {
      if (to >= body.begin && to < body.end) step.next.push_back(static_cast<uint32_t>(to - body.begin));
    };
    if (is_exit(instruction)) return step;
    uint32_t size = instruction.code == load_immediate64 ? 2 : 1;
    bool is_always = is_jump(instruction) && BPF_OP(instruction.code) == BPF_JA;
    if (!is_always) add(int64_t{at} + size);
    bool is_long = instruction.code == (BPF_JMP32 | BPF_JA);
    if (is_jump(instruction)) add(int64_t{at} + 1 + (is_long ? instruction.imm : instruction.off));
    return step;
  }

  double call_cost(uint32_t at) const {
    const bpf_insn& instruction = code_[at];
    if (is_local_call(instruction)) return call_ns + bodies_[target_of(at)].max_ns;
    if (is_function_address(instruction)) return bodies_[target_of(at)].max_ns;  // its loop runs once
    if (!is_helper_call(instruction)) return 0;
    if (instruction.imm >= map_lookup && instruction.imm <= map_delete)
      if (const MapPlan* map = map_argument(at)) return map_ns(instruction.imm, *map);
    const BpfHelperRow* helper = find_bpf_helper(static_cast<uint32_t>(instruction.imm));
    return helper != nullptr ? helper->ns : 9;
  }

  // The map in r1: the last map that an instruction before the call loads.
  const MapPlan* map_argument(uint32_t call) const {
    uint32_t first = call - std::min<uint32_t>(call, 64);
    for (uint32_t i = call; i > first;) {
      --i;
      bool is_map = code_[i].code == load_immediate64 && code_[i].src_reg == BPF_PSEUDO_MAP_FD;
      if (is_map && code_[i].dst_reg == BPF_REG_1)
        return static_cast<size_t>(code_[i].imm) < maps_.size() ? &maps_[static_cast<size_t>(code_[i].imm)] : nullptr;
      if (code_[i].code == call_instruction) return nullptr;
    }
    return nullptr;
  }

  // After a call that may return null, the branch for null is rare: elements exist, buffers have room.
  void find_rare_branches(const Body& body) {
    uint32_t results = 0;  // registers that hold the result of the last such call
    for (uint32_t i = body.begin; i < body.end; ++i) {
      const bpf_insn& instruction = code_[i];
      bool is_copy = instruction.code == (BPF_ALU64 | BPF_MOV | BPF_X);
      bool is_test = is_jump(instruction) && BPF_SRC(instruction.code) == BPF_K && instruction.imm == 0 &&
                     (results >> instruction.dst_reg & 1) != 0;
      bool is_load = BPF_CLASS(instruction.code) == BPF_LDX || BPF_CLASS(instruction.code) == BPF_LD;
      bool is_arithmetic = BPF_CLASS(instruction.code) == BPF_ALU64 || BPF_CLASS(instruction.code) == BPF_ALU;
      Step& step = steps_[i - body.begin];
      if (instruction.code == call_instruction) {
        results = is_helper_call(instruction) && may_return_null(instruction.imm) ? 1U : 0U;
      } else if (is_copy && (results >> instruction.src_reg & 1) != 0) {
        results |= 1U << instruction.dst_reg;
      } else if (is_test && step.next.size() == 2) {
        if (BPF_OP(instruction.code) == BPF_JEQ) step.rare = step.next[1];
        if (BPF_OP(instruction.code) == BPF_JNE) step.rare = step.next[0];
        results = 0;
      } else if (is_load || is_arithmetic) {
        results &= ~(1U << instruction.dst_reg);
      }
      if (instruction.code == load_immediate64) ++i;
    }
  }

  // Adds up the steps from the exits back to the start, in an order in which successors come first.
  void walk_paths(Body& body, bool is_program) {
    enum class Mark : uint8_t { New, Open, Done };
    std::vector<Mark> marks(steps_.size());
    std::vector<double> min_ns(steps_.size()), max_ns(steps_.size());
    std::vector<bool> is_in_loop(steps_.size());
    std::vector<std::pair<uint32_t, size_t>> open{{0, 0}};
    std::optional<uint32_t> gate = is_program ? first_branch() : std::nullopt;
    while (!open.empty()) {
      auto& [at, next] = open.back();
      marks[at] = Mark::Open;
      if (next < steps_[at].next.size()) {
        uint32_t to = steps_[at].next[next++];
        if (marks[to] == Mark::Open && to <= at) std::fill(is_in_loop.begin() + to, is_in_loop.begin() + at + 1, true);
        if (marks[to] == Mark::New) open.emplace_back(to, 0);
        continue;
      }
      const Step& step = steps_[at];
      std::optional<double> low, high;
      for (uint32_t to : step.next) {
        if (marks[to] != Mark::Done || (step.rare == to && step.next.size() > 1)) continue;
        low = !low ? min_ns[to] : at == gate ? std::max(*low, min_ns[to]) : std::min(*low, min_ns[to]);
        high = std::max(high.value_or(0), max_ns[to]);
      }
      min_ns[at] = step.own + low.value_or(0);
      max_ns[at] = step.own + high.value_or(0);
      marks[at] = Mark::Done;
      open.pop_back();
    }
    body.min_ns = min_ns[0];
    body.max_ns = max_ns[0];
    body.loop_instructions = static_cast<uint32_t>(std::ranges::count(is_in_loop, true));
    if (body.loop_instructions != 0) result_.has_loops = true;
  }

  // Every program first tests whether tracing is on.
  std::optional<uint32_t> first_branch() const {
    for (uint32_t i = 0; i < steps_.size(); ++i)
      if (steps_[i].next.size() == 2) return i;
    return std::nullopt;
  }

  const std::vector<bpf_insn>& code_;
  std::span<const MapPlan> maps_;
  std::vector<Body> bodies_;
  std::vector<bool> is_costed_;
  std::vector<Step> steps_;  // of the function being costed
  ProgramEstimate result_;
};

}  // namespace

ProgramEstimate estimate_program(const LinkedProgram& program, std::span<const MapPlan> maps) {
  return Estimator(program, maps).estimate();
}

Result<MapReference> NumberedMaps::map(std::string_view name) {
  for (size_t i = 0; i < maps_.size(); ++i)
    if (maps_[i].name == name) return MapReference{.fd = static_cast<int>(i), .is_direct = maps_[i].is_direct};
  return fail(Error::make("the plan has no map {}", name));
}

}  // namespace dscope
