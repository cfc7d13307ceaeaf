#include "runtime/session/clause_budget.h"

#include <algorithm>

#include "runtime/session/program_cost.h"

namespace dscope {

namespace {

constexpr int windows_per_pause = 10;

double seconds(ClauseBudget::Clock::duration time) { return std::chrono::duration<double>(time).count(); }

}  // namespace

ClauseBudget::ClauseBudget(const std::vector<LoadedProgram>& programs, AttachedPrograms& attached,
                           const OptionValues& options, SessionMessages& messages)
    : attached_(attached),
      messages_(messages),
      max_share_(static_cast<double>(options.number(OptionId::Cpubudget)) / 1e6),
      window_(std::chrono::nanoseconds{std::max<int64_t>(options.number(OptionId::Cpubudgetwindow), 1'000'000)}),
      only_cpu_(static_cast<int>(options.number(OptionId::Cpu))),
      checked_at_(Clock::now()),
      due_(checked_at_ + window_) {
  for (const LoadedProgram& program : programs) {
    if (!attached.has_links(program.fd.get())) continue;
    auto known =
        std::ranges::find_if(programs_, [&](const Program& each) { return each.copies.front()->plan == program.plan; });
    if (known == programs_.end()) programs_.push_back({.copies = {&program}});
    else known->copies.push_back(&program);
  }
}

uint64_t ClauseBudget::run_time_of(const Program& program) {
  uint64_t total = 0;
  for (const LoadedProgram* copy : program.copies) total += run_time_ns(*copy);
  return total;
}

void ClauseBudget::poll() {
  Clock::time_point now = Clock::now();
  if (now < due_) return;
  double elapsed = seconds(now - checked_at_);
  for (Program& program : programs_) {
    uint64_t total = run_time_of(program);
    double share = static_cast<double>(total - program.run_time_ns) / 1e9 / elapsed;
    program.run_time_ns = total;
    if (program.resumes_at) {
      if (now >= *program.resumes_at) resume(program, now);
    } else if (share > max_share_) {
      suspend(program, share, now);
    }
  }
  checked_at_ = now;
  due_ = now + window_;
}

void ClauseBudget::suspend(Program& program, double share, Clock::time_point now) {
  for (const LoadedProgram* copy : program.copies) attached_.suspend(copy->fd.get());
  program.resumes_at = now + window_ * windows_per_pause;
  ++program.suspensions;
  messages_.report_suspension(program.name(), share, max_share_, seconds(window_ * windows_per_pause));
}

void ClauseBudget::resume(Program& program, Clock::time_point now) {
  for (const LoadedProgram* copy : program.copies) {
    if (attached_.has_links(copy->fd.get())) continue;
    auto attached = attached_.resume(*copy, only_cpu_);
    if (attached) continue;
    messages_.report_failed_resumption(program.name(), attached.error());
    program.resumes_at = now + window_ * windows_per_pause;
    return;
  }
  program.resumes_at.reset();
  messages_.report_resumption(program.name());
}

void ClauseBudget::add_to(RunCost& cost) const {
  for (ProgramCostPart& part : cost.programs)
    for (const Program& program : programs_) {
      if (program.name() != part.name) continue;
      part.suspensions += program.suspensions;
      part.is_suspended |= program.resumes_at.has_value();
    }
}

}  // namespace dscope
