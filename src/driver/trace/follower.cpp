#include "driver/trace/follower.h"

#include <algorithm>
#include <cstdio>
#include <optional>

#include "support/format.h"
#include "support/read_file.h"

namespace dscope {
namespace {

// Returns the parent of a process; 0 if the process has exited.
uint32_t parent_of(uint32_t pid) {
  // Not through a std::ifstream: reading the file of a process that exits now fails with ESRCH, for which the stream's
  // buffer throws.
  auto text = read_file(fmt::format("/proc/{}/stat", pid).c_str());
  if (!text) return 0;
  size_t name_end = text->rfind(") ");
  uint32_t parent = 0;
  if (name_end == std::string::npos || std::sscanf(text->c_str() + name_end, ") %*c %u", &parent) != 1) return 0;
  return parent;
}

// Identifies an attachment in successive compilations.
struct AttachmentKey {
  std::string module;  // the kernel module that contains the hook; empty: none
  std::string text;
};

// Returns nullopt for hooks that exist from the start of the run and never appear later. The key contains the probe's
// name, not its row: several probes may share a hook, and a recompiled program may number its rows differently.
std::optional<AttachmentKey> key_of(const Attachment& attachment, const ProgramPlan& plan) {
  std::string row = std::to_string(attachment.cookie);
  if (attachment.cookie < plan.probes.size()) {
    const ProbePlan& probe = plan.probes[attachment.cookie];
    row = fmt::format("{}:{}:{}:{}", probe.provider, probe.module, probe.function, probe.name);
  }
  if (const auto* uprobe = std::get_if<HookUprobe>(&attachment.hook); uprobe != nullptr && !uprobe->path.empty())
    return AttachmentKey{{},
                         fmt::format("{} {} {} {} {} {}", uprobe->path, uprobe->offset, uprobe->pid,
                                     static_cast<int>(uprobe->position), uprobe->detail, row)};
  if (const auto* hook = std::get_if<HookFunction>(&attachment.hook))
    return AttachmentKey{hook->module, fmt::format("{}+{} {} {}", hook->function, hook->offset, hook->is_return, row)};
  if (const auto* hook = std::get_if<HookTracepoint>(&attachment.hook))
    return AttachmentKey{{}, fmt::format("{}:{} {}", hook->category, hook->name, row)};
  if (const auto* hook = std::get_if<HookRawTracepoint>(&attachment.hook))
    return AttachmentKey{{}, fmt::format("{} {}", hook->name, row)};
  return std::nullopt;
}

// Whether programs of both plans can share maps and record layouts.
bool has_same_data(const ProgramPlan& one, const ProgramPlan& other) {
  auto is_same_map = [](const MapPlan& a, const MapPlan& b) {
    return a.name == b.name && a.kind == b.kind && a.key_size == b.key_size && a.value_size == b.value_size &&
           a.max_entries == b.max_entries;
  };
  auto is_same_action = [](const ActionPlan& a, const ActionPlan& b) {
    return a.action == b.action && a.fields.size() == b.fields.size() && a.counted_end == b.counted_end;
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
      archived_(running.archived),
      latest_(&running.compiled) {
  for (const BpfProgramPlan& program : running.compiled.plan.programs)
    for (const Attachment& attachment : program.attachments)
      if (auto key = key_of(attachment, running.compiled.plan)) attached_[key->module].insert(key->text);
}

// Returns the target that is `pid` or its nearest ancestor, or else the first target.
uint32_t Follower::target_of(uint32_t pid) const {
  for (uint32_t ancestor = pid; ancestor > 1; ancestor = parent_of(ancestor))
    if (std::ranges::find(targets_, ancestor) != targets_.end()) return ancestor;
  return targets_.front();
}

Result<const Compilation*> Follower::recompile_after_exec(uint32_t pid) {
  host_.executed(target_of(pid), pid);
  return recompile();
}

Result<const Compilation*> Follower::recompile_for_file(uint32_t pid, const std::string& path) {
  return host_.mapped(pid, path) ? recompile() : nullptr;
}

// A module of the same name may have been unloaded before; its attachments no longer exist.
Result<const Compilation*> Follower::recompile_for_modules(const std::vector<std::string>& names) {
  for (const std::string& name : names) attached_.erase(name);
  host_.loaded(names);
  return recompile();
}

Result<const Compilation*> Follower::recompile() {
  Compilation& again = *compilations_.emplace_back(std::make_unique<Compilation>());
  again.archived = archived_;
  OptionValues options = options_;
  DS_TRY_VOID(compile(again, command_line_, options, host_, targets_.empty() ? 0 : static_cast<int>(targets_.front()),
                      nullptr, latest_));
  if (again.diagnostics.has_errors()) return fail(Error(again.diagnostics.first().message));
  awaited_.remove_matched(again);
  if (!has_same_data(latest_->plan, again.compiled.plan))
    return fail(Error("its probes have longer names or other types than this run can record"));
  latest_ = &again.compiled;
  return keep_new_attachments(again.compiled) ? &again : nullptr;
}

// Removes attachments that exist already, and programs without attachments. Returns false if no program remains.
bool Follower::keep_new_attachments(CompiledPlan& compiled) {
  std::vector<BpfProgramPlan> programs;
  std::vector<ProgramLayout> layouts;
  for (size_t i = 0; i < compiled.plan.programs.size(); ++i) {
    BpfProgramPlan& program = compiled.plan.programs[i];
    std::erase_if(program.attachments, [&](const Attachment& attachment) {
      auto key = key_of(attachment, compiled.plan);
      return !key || !attached_[key->module].insert(key->text).second;
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
