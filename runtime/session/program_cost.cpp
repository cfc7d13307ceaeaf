#include "runtime/session/program_cost.h"

#include <bpf/bpf.h>

namespace dscope {

ProgramCost::ProgramCost() : enabled_(::bpf_enable_stats(BPF_STATS_RUN_TIME)) {}

void ProgramCost::measure(const std::vector<LoadedProgram>& programs, RunCost& cost) const {
  if (!enabled_) return;
  cost.program_cpu_ns = cost.firings = 0;
  for (const LoadedProgram& program : programs) {
    bpf_prog_info info{};
    uint32_t size = sizeof info;
    if (::bpf_obj_get_info_by_fd(program.fd.get(), &info, &size) != 0) continue;
    cost.program_cpu_ns += info.run_time_ns;
    cost.firings += info.run_cnt;
  }
}

}  // namespace dscope
