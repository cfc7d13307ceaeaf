#include "runtime/providers/process_functions.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "runtime/providers/provider.h"
#include "runtime/symbols/debug_files.h"
#include "runtime/symbols/process_maps.h"
#include "support/format.h"

namespace dscope {

namespace {

// Through the process: right for deleted files and for other mount namespaces.
std::string openable(uint32_t pid, const Mapping& mapping) {
  std::string by_path = fmt::format("/proc/{}/root{}", pid, mapping.path);
  if (!mapping.is_deleted && open_regular(by_path)) return by_path;
  return fmt::format("/proc/{}/map_files/{:x}-{:x}", pid, mapping.start, mapping.end);
}

}  // namespace

std::optional<ProcessFunctions> ProcessFunctions::open(uint32_t pid) {
  auto maps = ProcessMaps::read(pid);
  if (!maps) return std::nullopt;
  ProcessFunctions result(pid);
  std::error_code problem;
  std::string program = std::filesystem::read_symlink(fmt::format("/proc/{}/exe", pid), problem);
  std::set<std::pair<std::string, uint64_t>> known;
  for (const Mapping& mapping : maps->mappings()) {
    if (!mapping.is_file() || !mapping.is_executable) continue;
    if (!known.emplace(mapping.device, mapping.inode).second) continue;
    bool is_program = mapping.path == program || mapping.path + " (deleted)" == program;
    result.objects_.push_back({.name = std::string{mapping.object_name()},
                               .path = mapping.path,
                               .file = openable(pid, mapping),
                               .is_program = is_program,
                               .symbols = nullptr});
  }
  std::stable_partition(result.objects_.begin(), result.objects_.end(),
                        [](const ProcessObject& object) { return object.is_program; });
  return result;
}

std::vector<ElfSymbols::Function> ProcessFunctions::functions(size_t index) {
  ProcessObject& object = objects_[index];
  if (object.symbols == nullptr) {
    Fd fd = open_regular(object.file);
    object.symbols = ElfSymbols::read(fd.get(), object.path, fmt::format("/proc/{}/root", pid_), true);
  }
  return object.symbols->functions();
}

std::vector<ProcessFunctions::StaticProbe> ProcessFunctions::static_probes(size_t index) {
  std::vector<StaticProbe> probes;
  Fd fd = open_regular(objects_[index].file);
  for (StapsdtNote& note : read_stapsdt_notes(fd.get())) probes.push_back({.note = std::move(note), .function = {}});
  if (probes.empty()) return probes;
  functions(index);
  for (StaticProbe& probe : probes)
    if (auto found = objects_[index].symbols->find(probe.note.address)) probe.function = found->name;
  return probes;
}

std::vector<uint8_t> ProcessFunctions::read(size_t index, uint64_t offset, size_t size) const {
  std::vector<uint8_t> bytes(size);
  Fd fd = open_regular(objects_[index].file);
  ssize_t got = fd ? ::pread(fd.get(), bytes.data(), size, static_cast<off_t>(offset)) : 0;
  bytes.resize(static_cast<size_t>(std::max<ssize_t>(got, 0)));
  return bytes;
}

bool ProcessFunctions::is_named(const ProcessObject& object, std::string_view module) {
  if (field_matches(module, object.name) || field_matches(module, object.path)) return true;
  if (object.is_program && module == "a.out") return true;
  for (size_t dot = object.name.find('.', 1); dot != std::string::npos; dot = object.name.find('.', dot + 1))
    if (field_matches(module, std::string_view{object.name}.substr(0, dot))) return true;
  return false;
}

ProcessFunctions* KnownProcesses::open(uint32_t pid) {
  auto found = processes_.find(pid);
  if (found == processes_.end()) found = processes_.emplace(pid, ProcessFunctions::open(pid)).first;
  return found->second ? &*found->second : nullptr;
}

ProbeDescription KnownProcesses::as_published(uint32_t pid, ProbeDescription description) const {
  auto found = processes_.find(pid);
  if (found == processes_.end() || !found->second || !is_literal(description.module)) return description;
  for (size_t i = 0; i < found->second->size(); ++i) {
    const ProcessObject& object = found->second->object(i);
    if (!ProcessFunctions::is_named(object, description.module)) continue;
    description.module = object.name;
    break;
  }
  return description;
}

}  // namespace dscope
