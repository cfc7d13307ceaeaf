#include "runtime/session/extension_set.h"

#include <algorithm>
#include <set>
#include <utility>

#include "runtime/targets/prefault.h"

namespace dscope {
namespace {

// Only programs with fault sites read memory, and a sleepable program waits for an absent page instead of faulting.
bool can_miss_pages(const ProgramPlan& plan) {
  auto can_miss = [](const BpfProgramPlan& program) {
    return !program.may_sleep && !program.attachments.empty() &&
           !std::holds_alternative<HookTestRun>(program.attachments.front().hook);
  };
  return !plan.fault_sites.empty() && std::ranges::any_of(plan.programs, can_miss);
}

}  // namespace

Result<> ExtensionSet::add(uint32_t pid, Extension extension) {
  Added& added = added_.emplace_back(Added{.extension = std::move(extension), .loaded = {}, .attached = {}});
  const ProgramPlan& plan = added.extension.plan;
  DS_TRY(added.loaded, load_object(plan, added.extension.object, nullptr, &maps_));
  // From here on records of the new programs may arrive.
  plan_.probes = plan.probes;
  if (pid != 0 && can_miss_pages(plan)) prefault_mapped_files(pid);
  DS_TRY(added.attached, AttachedPrograms::attach(added.loaded.programs, only_cpu_));
  return {};
}

void ExtensionSet::detach() {
  for (Added& added : added_) added.attached.detach();
}

void ExtensionSet::add_cost(const ProgramCost& counter, RunCost& cost) const {
  for (const Added& added : added_) counter.add(added.loaded.programs, cost);
}

void prefault_processes(const ProgramPlan& plan, const Targets& targets) {
  if (!can_miss_pages(plan)) return;
  std::set<uint32_t> pids;
  for (uint32_t pid : targets.pids()) pids.insert(pid);
  for (const BpfProgramPlan& program : plan.programs)
    for (const Attachment& attachment : program.attachments)
      if (const auto* hook = std::get_if<HookUprobe>(&attachment.hook); hook != nullptr && hook->pid != 0)
        pids.insert(hook->pid);
  for (uint32_t pid : pids) prefault_mapped_files(pid);
}

}  // namespace dscope
