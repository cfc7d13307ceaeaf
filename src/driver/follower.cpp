#include "driver/follower.h"

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "support/format.h"

namespace dscope {
namespace {

// The parent of a process; 0 if it is gone.
uint32_t parent_of(uint32_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string text((std::istreambuf_iterator<char>(file)), {});
  size_t name_end = text.rfind(") ");
  uint32_t parent = 0;
  if (name_end == std::string::npos || std::sscanf(text.c_str() + name_end, ") %*c %u", &parent) != 1) return 0;
  return parent;
}

// Only uprobes can be new; what is on the kernel is there already.
std::string key_of(const Attachment& attachment, const HookUprobe& hook) {
  return fmt::format("{} {} {} {} {} {}", hook.path, hook.offset, hook.pid, static_cast<int>(hook.place), hook.detail,
                     attachment.cookie);
}

// Whether programs of both plans can share their maps, and their records a reader.
bool has_same_data(const ProgramPlan& one, const ProgramPlan& other) {
  auto is_same_map = [](const MapPlan& a, const MapPlan& b) {
    return a.name == b.name && a.kind == b.kind && a.key_size == b.key_size && a.value_size == b.value_size &&
           a.max_entries == b.max_entries;
  };
  auto is_same_action = [](const ActionPlan& a, const ActionPlan& b) {
    return a.action == b.action && a.fields.size() == b.fields.size() && a.end == b.end;
  };
  auto is_same_clause = [&](const ClausePlan& a, const ClausePlan& b) {
    return a.has_record == b.has_record && a.record_size == b.record_size &&
           std::ranges::equal(a.actions, b.actions, is_same_action) && a.updates.size() == b.updates.size();
  };
  auto is_same_aggregation = [](const AggregationPlan& a, const AggregationPlan& b) {
    return a.name == b.name && a.key_size == b.key_size && a.value_size == b.value_size && a.map == b.map &&
           a.short_map == b.short_map;
  };
  return std::ranges::equal(one.maps, other.maps, is_same_map) &&
         std::ranges::equal(one.clauses, other.clauses, is_same_clause) &&
         std::ranges::equal(one.aggregations, other.aggregations, is_same_aggregation) &&
         one.formats.size() == other.formats.size() && one.fault_sites.size() == other.fault_sites.size();
}

}  // namespace

Follower::Follower(const CommandLine& command_line, const OptionValues& options, LiveHost& host,
                   std::vector<uint32_t> targets, const Compilation& running, AwaitedProbes& awaited)
    : command_line_(command_line),
      options_(options),
      host_(host),
      targets_(std::move(targets)),
      awaited_(awaited),
      latest_(&running.compiled) {
  for (const BpfProgramPlan& program : running.compiled.plan.programs)
    for (const Attachment& attachment : program.attachments)
      if (const auto* hook = std::get_if<HookUprobe>(&attachment.hook)) known_.insert(key_of(attachment, *hook));
}

// That process itself, or the one it descends from.
uint32_t Follower::target_of(uint32_t pid) const {
  for (uint32_t ancestor = pid; ancestor > 1; ancestor = parent_of(ancestor))
    if (std::ranges::find(targets_, ancestor) != targets_.end()) return ancestor;
  return targets_.front();
}

Result<const Compilation*> Follower::look_again(uint32_t pid) {
  host_.executed(target_of(pid), pid);
  return compile_again();
}

Result<const Compilation*> Follower::look_at_file(uint32_t pid, const std::string& path) {
  return host_.mapped(pid, path) ? compile_again() : nullptr;
}

Result<const Compilation*> Follower::compile_again() {
  Compilation& again = *compilations_.emplace_back(std::make_unique<Compilation>());
  OptionValues options = options_;
  DS_TRY_VOID(compile(again, command_line_, options, host_, targets_.empty() ? 0 : static_cast<int>(targets_.front()),
                      nullptr, latest_));
  if (again.diagnostics.has_errors()) return fail(Error(again.diagnostics.first().message));
  awaited_.remove_found(again);
  if (!has_same_data(latest_->plan, again.compiled.plan))
    return fail(Error("its probes have longer names or other types than this run has room for"));
  latest_ = &again.compiled;
  return keep_new(again.compiled) ? &again : nullptr;
}

// False if nothing is left.
bool Follower::keep_new(CompiledPlan& compiled) {
  std::vector<BpfProgramPlan> programs;
  std::vector<ProgramLayout> layouts;
  for (size_t i = 0; i < compiled.plan.programs.size(); ++i) {
    BpfProgramPlan& program = compiled.plan.programs[i];
    std::erase_if(program.attachments, [&](const Attachment& attachment) {
      const auto* hook = std::get_if<HookUprobe>(&attachment.hook);
      return hook == nullptr || hook->path.empty() || !known_.insert(key_of(attachment, *hook)).second;
    });
    if (program.attachments.empty()) continue;
    programs.push_back(std::move(program));
    layouts.push_back(std::move(compiled.layout.programs[i]));
  }
  compiled.plan.programs = std::move(programs);
  compiled.layout.programs = std::move(layouts);
  return !compiled.plan.programs.empty();
}

}  // namespace dscope
