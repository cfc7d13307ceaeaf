#include "program_time.h"

#include <bpf/bpf.h>

namespace dscope::bench {

ProgramIds loaded_programs() {
  ProgramIds ids;
  for (uint32_t id = 0; bpf_prog_get_next_id(id, &id) == 0;) ids.insert(id);
  return ids;
}

Result<ProgramTimer> ProgramTimer::start(const ProgramIds& before) {
  ProgramTimer timer;
  for (const uint32_t id : loaded_programs()) {
    if (before.contains(id)) continue;
    Fd program{bpf_prog_get_fd_by_id(id)};
    if (program) timer.programs_.push_back(std::move(program));
  }
  timer.statistics_ = Fd{bpf_enable_stats(BPF_STATS_RUN_TIME)};
  if (!timer.statistics_) return fail(Error::from_errno(errno, "cannot enable the statistics of BPF programs"));
  return timer;
}

ProgramTime ProgramTimer::total() const {
  ProgramTime sum;
  for (const Fd& program : programs_) {
    bpf_prog_info info{};
    uint32_t size = sizeof(info);
    if (bpf_obj_get_info_by_fd(program.get(), &info, &size) != 0) continue;
    sum.nanoseconds += info.run_time_ns;
    sum.runs += info.run_cnt;
  }
  return sum;
}

}  // namespace dscope::bench
