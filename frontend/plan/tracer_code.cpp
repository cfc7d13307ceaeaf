#include "frontend/plan/tracer_code.h"

#include <algorithm>
#include <string>
#include <vector>

#include "contract/host.h"
#include "frontend/plan/plan_layout.h"
#include "frontend/semantics/walk.h"

namespace dscope {

namespace {

constexpr uint64_t max_tracer_function_bytes = 320;  // these functions have 100 to 300 bytes

bool reads_callers(const Semantics& meaning) {
  bool is_read = false;
  walk_program(meaning, [&](const Expr& expr, const ClauseInstance& clause) {
    const auto* variable = std::get_if<BuiltinVariable>(&meaning.info(clause, expr).binding);
    if (variable == nullptr) return;
    is_read |= *variable == BuiltinVariable::Caller || *variable == BuiltinVariable::Stackdepth;
  });
  return is_read;
}

std::vector<std::string> numbered(const char* name, int count) {
  std::vector<std::string> names;
  for (int i = 1; i <= count; ++i) names.push_back(fmt::format("{}{}", name, i));
  return names;
}

class TracerCode {
 public:
  TracerCode(const Semantics& meaning, Host& host) : meaning_(meaning), host_(host) {}

  void find(const BpfProgramPlan& program, ProgramLayout& layout) {
    for (const Attachment& attachment : program.attachments) {
      if (const auto* hook = std::get_if<HookRawTracepoint>(&attachment.hook)) {
        // bpf_trace_run1 ... 12 are adjacent, in any order. Each tracepoint also has its own functions before them.
        if (layout.tracer_code.empty()) add(numbered("bpf_trace_run", 12), layout);
        for (const char* prefix : {"__traceiter_", "__bpf_trace_"}) add({prefix + hook->name}, layout);
      } else if (layout.tracer_code.empty() && is_fired_by_consumer(program)) {
        for (const char* function : {"__bpf_prog_test_run_raw_tp", "bpf_prog_test_run_raw_tp"}) add({function}, layout);
      }
    }
  }

 private:
  // Adds the range from the first of the functions to the end of the last.
  void add(const std::vector<std::string>& functions, ProgramLayout& layout) {
    uint64_t begin = UINT64_MAX, end = 0;
    for (const std::string& function : functions) {
      auto symbol = host_.find_symbol(*meaning_.types, "", function);
      if (!symbol || symbol->address == 0) continue;
      begin = std::min(begin, symbol->address);
      end = std::max(end, symbol->address);
    }
    if (end != 0) layout.tracer_code.emplace_back(begin, end + max_tracer_function_bytes);
  }

  const Semantics& meaning_;
  Host& host_;
};

}  // namespace

void find_tracer_code(const Semantics& meaning, Host& host, CompiledPlan& out) {
  if (!reads_callers(meaning)) return;
  TracerCode code(meaning, host);
  for (size_t i = 0; i < out.plan.programs.size(); ++i) code.find(out.plan.programs[i], out.layout.programs[i]);
}

}  // namespace dscope
