// uprobe provider: functions of a file in all processes that map it, uprobe:/bin/bash:readline:entry. An extension:
// DTrace's pid provider needs a process. No probes are published: descriptions create them.
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "runtime/dwarf/process_types.h"
#include "runtime/elf/debug_files.h"
#include "runtime/elf/library_search.h"
#include "runtime/providers/process/function_arguments.h"
#include "runtime/providers/process/function_probes.h"
#include "runtime/providers/process/line_probes.h"
#include "runtime/providers/process/process_functions.h"
#include "runtime/providers/process/same_names.h"
#include "runtime/providers/provider.h"
#include "support/format.h"

namespace dscope {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view own_name = "uprobe";
constexpr size_t max_probes = 200'000;

std::vector<std::string> search_path() {
  std::vector<std::string> directories;
  const char* path = std::getenv("PATH");
  std::string_view rest = path != nullptr ? path : "/bin:/usr/bin";
  while (!rest.empty()) {
    size_t end = std::min(rest.find(':'), rest.size());
    directories.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return directories;
}

// One process of each mount namespace except our own.
std::vector<uint32_t> container_processes() {
  std::error_code problem;
  std::set<fs::path> seen{fs::read_symlink("/proc/self/ns/mnt", problem)};
  std::vector<uint32_t> processes;
  for (fs::directory_iterator at("/proc", problem), end; at != end; at.increment(problem)) {
    std::string name = at->path().filename().string();
    uint32_t pid = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), pid).ptr != name.data() + name.size()) continue;
    fs::path space = fs::read_symlink(at->path() / "ns/mnt", problem);
    if (!space.empty() && seen.insert(space).second) processes.push_back(pid);
  }
  return processes;
}

class UprobeProvider final : public Provider {
 public:
  UprobeProvider(const ProcessTools& tools, ProcessTypes& types)
      : types_(types), function_probes_(tools), line_probes_(tools, types) {}

  std::string_view name() const override { return own_name; }
  bool could_match(const ProbeDescription& description) const override {
    return description.provider == own_name && is_literal(description.module);
  }
  size_t count() override { return 0; }
  ProbeName probe_name(size_t) override { return {}; }
  void describe(size_t, Probe&) override {}
  bool matches_function(const Probe& probe, std::string_view function) const override {
    return Provider::matches_function(probe, function) || function_probes_.has_other_name(probe, function) ||
           LineProbes::matches(probe, function);
  }

  std::vector<Probe> create_all(const ProbeDescription& description) override {
    std::vector<Probe> probes;
    ProcessFunctions* file = open(description.module);
    if (file == nullptr || !done_.insert(to_string(description)).second) return probes;
    ProbedObject probed{
        .process = *file, .object = 0, .pid = 0, .provider = std::string{own_name}, .module = description.module};
    if (LineProbes::parse(description.function))
      line_probes_.add(probed, scope_of(*file), description.function, description.name, probes);
    for (const ElfSymbols::Function& function : function_probes_.find(probed, description.function)) {
      function_probes_.add(probed, function, description.name, probes);
      if (probes.size() > max_probes) break;
    }
    merge_same_names(probes);
    return probes;
  }

  std::string why_missing(const ProbeDescription& description) override {
    bool has_file = is_literal(description.module) && !description.module.empty();
    return has_file ? "" : "name one file: `uprobe:/usr/bin/bash:readline:entry`, `uprobe:libc.so.6:malloc:entry`";
  }

  void load_args(Probe& probe, TypeTable& types) override {
    if (ProcessFunctions* file = open(probe.module))
      load_function_arguments(probe, file->symbols(0), scope_of(*file), types_, types);
  }

  void load_variables(Probe& probe, TypeTable& types) override {
    if (ProcessFunctions* file = open(probe.module))
      line_probes_.load_variables(probe, file->symbols(0), scope_of(*file), types);
  }
  void add_global_variable(Probe& probe, TypeTable& types, const std::string& name) override {
    if (ProcessFunctions* file = open(probe.module))
      line_probes_.add_global(probe, file->symbols(0), scope_of(*file), types, name);
  }
  std::string explain_variable(const Probe& probe, const std::string& name) override {
    ProcessFunctions* file = open(probe.module);
    return file == nullptr ? std::string{} : line_probes_.explain(probe, file->symbols(0), scope_of(*file), name);
  }

  std::optional<ProbeMistake> mistake(const ProbeDescription& description) override {
    ProcessFunctions* file = open(description.module);
    if (file == nullptr)
      return ProbeMistake{Tag::D_PROC_GRAB,
                          fmt::format("file {} does not exist or cannot be read", description.module)};
    if (LineProbes::parse(description.function))
      return line_probes_.mistake(scope_of(*file), description.function, description.name);
    if (file->functions(0).empty())
      return ProbeMistake{Tag::D_PROC_FUNC, fmt::format("{} has no known functions", file->object(0).path)};
    auto is_it = [&](const ElfSymbols::Function& function) {
      return function_probes_.is_named(function.name, description.function);
    };
    if (is_literal(description.function) && std::ranges::none_of(file->functions(0), is_it))
      return ProbeMistake{Tag::D_PROC_FUNC,
                          fmt::format("there is no function {} in {}{}", description.function, file->object(0).path,
                                      file->missing_function_hint("", description.function))};
    if (!is_literal(description.function)) return std::nullopt;
    auto found = std::ranges::find_if(file->functions(0), is_it);
    if (auto mistake = FunctionProbes::unresolved_ifunc_mistake(*found)) return mistake;
    return FunctionProbes::no_return_mistake(description.function, description.name);
  }

 private:
  ProcessScope scope_of(const ProcessFunctions& file) { return types_.of_file(file.object(0).path); }

  // Opens a module by its path, or by its name as a program in PATH or as a library that programs of this system load
  // (libc.so.6, libssl).
  ProcessFunctions* open(const std::string& module) {
    auto [entry, is_new] = files_.try_emplace(module);
    if (is_new) entry->second = find(module);
    return entry->second ? &*entry->second : nullptr;
  }

  std::optional<ProcessFunctions> find(const std::string& module) {
    if (module.find('/') != std::string::npos) return ProcessFunctions::of_file(module, opened_);
    for (const std::string& directory : search_path())
      if (auto found = ProcessFunctions::of_file(directory + "/" + module, opened_)) return found;
    auto own = ProcessFunctions::open(static_cast<uint32_t>(::getpid()), opened_);
    for (size_t i = 0; own && i < own->size(); ++i)
      if (ProcessFunctions::is_named(own->object(i), module))
        return ProcessFunctions::of_file(own->object(i).path, opened_);
    auto is_wanted = [&](std::string_view name) {
      ProcessObject object;
      object.name = name;
      return name.find(".so") != std::string_view::npos && ProcessFunctions::is_named(object, module);
    };
    // Files that cannot be opened as ELF files are scripts of the linker.
    for (const std::string& path : find_libraries(static_cast<uint32_t>(::getpid()), is_wanted))
      if (auto found = ProcessFunctions::of_file(path, opened_)) return found;
    for (uint32_t pid : container_processes())
      for (const std::string& path : find_libraries(pid, is_wanted))
        if (Fd found = open_in_root(fmt::format("/proc/{}/root", pid), path))
          return ProcessFunctions::of_open_file(std::move(found), fmt::format("/proc/{}/root{}", pid, path), opened_);
    return std::nullopt;
  }

  ProcessTypes& types_;
  ProbedFiles opened_;
  FunctionProbes function_probes_;
  LineProbes line_probes_;
  std::map<std::string, std::optional<ProcessFunctions>> files_;  // by module field
  std::set<std::string> done_;                                    // descriptions
};

}  // namespace

std::unique_ptr<Provider> make_uprobe_provider(const ProcessTools& tools, ProcessTypes& types) {
  return std::make_unique<UprobeProvider>(tools, types);
}

}  // namespace dscope
