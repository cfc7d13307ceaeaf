#include "runtime/session/program_cost.h"

#include <bpf/bpf.h>

#include <algorithm>
#include <functional>
#include <map>

namespace dscope {

uint64_t run_time_ns(const LoadedProgram& program) {
  bpf_prog_info info{};
  uint32_t size = sizeof info;
  return ::bpf_obj_get_info_by_fd(program.fd.get(), &info, &size) == 0 ? info.run_time_ns : 0;
}

ProgramCost::ProgramCost() : enabled_(::bpf_enable_stats(BPF_STATS_RUN_TIME)) {}

void ProgramCost::add(const std::vector<LoadedProgram>& programs, RunCost& cost) const {
  if (!enabled_) return;
  std::map<std::string, ProgramCostPart> parts;  // programs may be loaded several times
  for (ProgramCostPart& part : cost.programs) parts.emplace(part.name, std::move(part));
  cost.programs.clear();
  for (const LoadedProgram& program : programs) {
    bpf_prog_info info{};
    uint32_t size = sizeof info;
    if (::bpf_obj_get_info_by_fd(program.fd.get(), &info, &size) != 0) continue;
    cost.program_cpu_ns += info.run_time_ns;
    cost.firings += info.run_cnt;
    ProgramCostPart& part = parts[program.plan->name];
    part.cpu_ns += info.run_time_ns;
    part.firings += info.run_cnt;
  }
  for (auto& [name, part] : parts)
    cost.programs.push_back({.name = name, .cpu_ns = part.cpu_ns, .firings = part.firings});
  constexpr size_t max_programs = 100;
  std::ranges::stable_sort(cost.programs, std::greater{}, &ProgramCostPart::cpu_ns);
  if (cost.programs.size() > max_programs) cost.programs.resize(max_programs);
}

}  // namespace dscope
