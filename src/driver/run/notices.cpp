#include "driver/run/notices.h"

#include <sys/stat.h>

#include <algorithm>
#include <set>

#include "driver/run/messages.h"
#include "runtime/elf/process_maps.h"
#include "support/print_message.h"

namespace dscope {

namespace {

// Returns ", and 1 description may match later". Test suites that compare messages expect the classic notice.
std::string awaited_text(size_t count) {
  if (count == 0 || is_testing()) return "";
  return fmt::format(", and {} description{} may match later", count, count == 1 ? "" : "s");
}

void print_matches(const CommandLine& command_line, const ProgramPlan& plan, const AwaitedProbes& awaited,
                   const std::vector<std::string>& reports, OutputStream& out) {
  for (size_t i = 0; i < plan.units.size(); ++i) {
    const UnitPlan& unit = plan.units[i];
    if (!plan.options.is_on(OptionId::Quiet))
      // The name of a program on the command line is its text, which may have several lines.
      print_text(fmt::format("{}: {} '{}' matched {} probe{}{}\n", command_line.program_name,
                             unit.is_script ? "script" : "description", visible_text(unit.name), unit.matched,
                             unit.matched == 1 ? "" : "s", awaited_text(awaited.count_in(i))));
    if (i < reports.size()) out.write(reports[i]);
    out.flush();
  }
}

// The consumer itself stores aggregations whose keys are stacks that it unwinds. It cannot do so with buffer policies
// that discard records; such keys fall back to frame pointers.
void print_unwinding_notice(const CommandLine& command_line, const ProgramPlan& plan) {
  if (plan.options.text(OptionId::Ustackunwind) != "dwarf") return;
  auto has_stack = [](const AggregationPlan& aggregation) {
    return !aggregation.is_recorded &&
           std::ranges::any_of(aggregation.keys, [](const Field& key) { return key.kind == FieldKind::UserStack; });
  };
  auto found = std::ranges::find_if(plan.aggregations, has_stack);
  if (found == plan.aggregations.end()) return;
  print_message(
      "{}: ustackunwind=dwarf does not apply to aggregation keys with bufpolicy={}: ustack() in @{}[] follows frame "
      "pointers\n",
      command_line.program_name, plan.options.text(OptionId::Bufpolicy), found->name == "_" ? "" : found->name);
}

// Prints the Solaris probes that never fire on Linux: a script that counts with them prints zeros.
void print_unfired_probes(const CommandLine& command_line, const Compilation& compilation) {
  std::vector<std::string> names;
  for (const ClauseInstance& clause : compilation.meaning.clauses)
    for (const Probe* probe : clause.probes)
      if (probe->stub == Stub::Unfired)
        names.push_back(fmt::format("{}:{}:{}:{}", probe->provider, probe->module == "vmlinux" ? "" : probe->module,
                                    probe->function, probe->name));
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  if (!names.empty())
    print_message("{}: these Solaris probes never fire on Linux: {}\n", command_line.program_name,
                  fmt::join(names, " "));
}

bool is_mapped(const std::string& path, const ProcessMaps& maps) {
  struct stat file{};
  if (::stat(path.c_str(), &file) != 0) return true;
  // The device is not compared: some file systems report another one in maps.
  return std::ranges::any_of(maps.mappings(), [&](const Mapping& mapping) { return mapping.inode == file.st_ino; });
}

// Prints the libraries with pid probes that their process has not mapped yet, as plugins and programs that have not
// started.
void print_unmapped_libraries(const CommandLine& command_line, const Compilation& compilation) {
  std::set<std::pair<uint32_t, std::string>> examined;
  for (const ClauseInstance& clause : compilation.meaning.clauses)
    for (const Probe* probe : clause.probes) {
      const auto* hook = std::get_if<HookUprobe>(&probe->hook);
      if (hook == nullptr || hook->pid == 0 || !examined.emplace(hook->pid, hook->path).second) continue;
      auto maps = ProcessMaps::read(hook->pid);
      if (!maps || is_mapped(hook->path, *maps)) continue;
      print_message("{}: {} waits until process {} maps {}\n", command_line.program_name, to_string(clause.bound_to()),
                    hook->pid, probe->module);
    }
}

// Prints the clauses that dscope skips because they use args[] of probes that do not exist yet.
void print_omitted_clauses(const CommandLine& command_line, const Compilation& compilation) {
  for (const ClauseInstance& clause : compilation.meaning.clauses) {
    if (clause.untyped == nullptr) continue;
    SourceLocation location = compilation.sources.locate(clause.untyped->at.range.begin);
    const SourceUnit& unit = compilation.sources.unit(location.unit);
    uint32_t line = clause.untyped->at.line != 0 ? clause.untyped->at.line : location.line;
    std::string position = unit.kind == UnitKind::Script ? fmt::format("{}, line {}: ", unit.name, line) : "";
    print_message(
        "{}: {}the clause for {} is skipped: the types of args[] are unknown until the probe exists; use arg0, arg1 "
        "..., or define the provider\n",
        command_line.program_name, position, clause.description);
  }
}

}  // namespace

void print_skipped_libraries(const CommandLine& command_line, const Compilation& compilation) {
  for (const SkippedLibrary& library : compilation.skipped_libraries)
    print_message("{}: library {} is skipped: {}\n", command_line.program_name, library.path, library.reason);
}

void print_notices(const CommandLine& command_line, const Compilation& compilation, const AwaitedProbes& awaited,
                   const std::vector<std::string>& reports, OutputStream& out) {
  const ProgramPlan& plan = compilation.compiled.plan;
  print_matches(command_line, plan, awaited, reports, out);
  print_unwinding_notice(command_line, plan);
  print_unfired_probes(command_line, compilation);
  print_omitted_clauses(command_line, compilation);
  bool is_for_people = !command_line.is_dtrace() && !is_testing() && !plan.options.is_on(OptionId::Quiet);
  if (is_for_people) print_unmapped_libraries(command_line, compilation);
}

}  // namespace dscope
