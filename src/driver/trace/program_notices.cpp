#include "driver/trace/program_notices.h"

#include <sys/stat.h>

#include <algorithm>
#include <set>

#include "driver/run/messages.h"
#include "runtime/elf/process_maps.h"
#include "support/print_message.h"
#include "support/text/format_join.h"

namespace dscope {

namespace {

// Adds the Solaris probes that never fire on Linux: a script that counts with them prints zeros.
void add_unfired_probes(const Compilation& compilation, std::vector<std::string>& lines) {
  std::vector<std::string> names;
  for (const ClauseInstance& clause : compilation.meaning.clauses)
    for (const Probe* probe : clause.probes)
      if (probe->stub == Stub::Unfired)
        names.push_back(fmt::format("{}:{}:{}:{}", probe->provider, probe->module == "vmlinux" ? "" : probe->module,
                                    probe->function, probe->name));
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  if (!names.empty())
    lines.push_back(fmt::format("these Solaris probes never fire on Linux: {}", fmt::join(names, " ")));
}

bool is_mapped(const std::string& path, const ProcessMaps& maps) {
  struct stat file{};
  if (::stat(path.c_str(), &file) != 0) return true;
  // The device is not compared: some file systems report another one in maps.
  return std::ranges::any_of(maps.mappings(), [&](const Mapping& mapping) { return mapping.inode == file.st_ino; });
}

// Adds the libraries with pid probes that their process has not mapped yet, as plugins and programs that have not
// started.
void add_unmapped_libraries(const Compilation& compilation, std::vector<std::string>& lines) {
  std::set<std::pair<uint32_t, std::string>> examined;
  for (const ClauseInstance& clause : compilation.meaning.clauses)
    for (const Probe* probe : clause.probes) {
      const auto* hook = std::get_if<HookUprobe>(&probe->hook);
      if (hook == nullptr || hook->pid == 0 || !examined.emplace(hook->pid, hook->path).second) continue;
      auto maps = ProcessMaps::read(hook->pid);
      if (!maps || is_mapped(hook->path, *maps)) continue;
      lines.push_back(
          fmt::format("{} waits until process {} maps {}", to_string(clause.bound_to()), hook->pid, probe->module));
    }
}

// Adds the clauses that dscope skips because they use args[] of probes that do not exist yet.
void add_omitted_clauses(const Compilation& compilation, std::vector<std::string>& lines) {
  for (const ClauseInstance& clause : compilation.meaning.clauses) {
    if (clause.untyped == nullptr) continue;
    SourceLocation location = compilation.sources.locate(clause.untyped->at.range.begin);
    const SourceUnit& unit = compilation.sources.unit(location.unit);
    uint32_t line = clause.untyped->at.line != 0 ? clause.untyped->at.line : location.line;
    std::string position = unit.kind == UnitKind::Script ? fmt::format("{}, line {}: ", unit.name, line) : "";
    lines.push_back(
        fmt::format("{}the clause for {} is skipped: the types of args[] are unknown until the probe exists; use arg0, "
                    "arg1 ..., or "
                    "define the provider",
                    position, clause.description));
  }
}

}  // namespace

void print_skipped_libraries(const CommandLine& command_line, const Compilation& compilation) {
  for (const SkippedLibrary& library : compilation.skipped_libraries)
    print_message("{}: {}{}library {} is skipped: {}\n", command_line.program_name, library.definition,
                  library.definition.empty() ? "" : " of ", library.path, library.reason);
}

std::vector<std::string> program_notices(const CommandLine& command_line, const Compilation& compilation) {
  std::vector<std::string> lines;
  add_unfired_probes(compilation, lines);
  add_omitted_clauses(compilation, lines);
  bool is_for_people =
      !command_line.is_dtrace() && !is_testing() && !compilation.compiled.plan.options.is_on(OptionId::Quiet);
  if (is_for_people) add_unmapped_libraries(compilation, lines);
  return lines;
}

}  // namespace dscope
