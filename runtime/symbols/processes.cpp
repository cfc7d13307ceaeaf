#include "runtime/symbols/processes.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>

#include "runtime/symbols/perf_map.h"
#include "support/format.h"

namespace dscope {

namespace {

// A process may add mappings or call exec: maps older than this are read again before they are used.
constexpr std::chrono::seconds maps_lifetime{1};
constexpr size_t max_processes = 4096;

}  // namespace

// The record of a process; that of a new one is read from /proc.
Processes::Process& Processes::entry(uint32_t tgid) {
  auto found = processes_.find(tgid);
  if (found == processes_.end()) {
    make_room();
    found = processes_.emplace(tgid, Process{}).first;
    refresh(tgid, found->second);
    note_root(tgid, found->second);
  }
  found->second.used_at = Clock::now();
  return found->second;
}

Processes::Process* Processes::look_up(uint32_t tgid) {
  if (tgid == 0) return nullptr;
  // Stacks with many frames come here several times for each of them.
  Clock::time_point now = Clock::now();
  auto known = processes_.find(tgid);
  if (known != processes_.end() && now - known->second.read_at < maps_lifetime) {
    known->second.used_at = now;
    return &known->second;
  }
  // Before entry(), because an event may drop this very record if the pid was reused.
  process_events();
  Process& process = entry(tgid);
  if (now - process.read_at >= maps_lifetime) refresh(tgid, process);
  return &process;
}

// Reads the maps again. Keeps the old ones if the process has exited.
void Processes::refresh(uint32_t tgid, Process& process) {
  process.read_at = Clock::now();
  std::optional<ProcessMaps> maps = ProcessMaps::read(tgid);
  bool was_alive = std::exchange(process.is_alive, maps.has_value());
  // JVMs write their perf map when they exit.
  if (was_alive && !maps) process.is_perf_map_fresh = false;
  if (!maps) return;
  struct stat directory;
  if (::stat(fmt::format("/proc/{}", tgid).c_str(), &directory) == 0) process.owner = directory.st_uid;
  process.maps = std::make_shared<ProcessMaps>(std::move(*maps));
  process.generation = ++last_generation_;
  process.is_perf_map_fresh = false;
}

// Opens the root directory of a container now: once its last process has exited there is no path to it.
void Processes::note_root(uint32_t tgid, Process& process) {
  auto key_of = [](const std::string& proc) -> std::optional<RootKey> {
    struct stat directory{}, mounts{};
    if (::stat((proc + "/root").c_str(), &directory) != 0 || ::stat((proc + "/ns/mnt").c_str(), &mounts) != 0)
      return std::nullopt;
    return RootKey{directory.st_dev, directory.st_ino, mounts.st_ino};
  };
  static const std::optional<RootKey> own = key_of("/proc/self");
  std::string proc = fmt::format("/proc/{}", tgid);
  auto key = key_of(proc);
  if (!key) return;
  process.root.reset();
  // In our own mount namespace an open root would keep file systems busy, so that nobody could unmount them.
  if (!own || std::get<2>(*key) == std::get<2>(*own)) return;
  constexpr size_t max_roots = 256;
  auto known = roots_.find(*key);
  if (known == roots_.end() && roots_.size() < max_roots) {
    Fd directory{::open((proc + "/root").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)};
    known = roots_.emplace(*key, std::make_shared<const Fd>(std::move(directory))).first;
  }
  if (known != roots_.end() && *known->second) process.root = known->second;
}

std::string Processes::root(uint32_t tgid) {
  auto known = processes_.find(tgid);
  bool has_own = known != processes_.end() && known->second.root != nullptr;
  return has_own ? fmt::format("/proc/self/fd/{}", known->second.root->get()) : std::string{};
}

// Drops the least recently used quarter.
void Processes::make_room() {
  if (processes_.size() < max_processes) return;
  std::vector<Clock::time_point> ages;
  for (auto& [tgid, process] : processes_) ages.push_back(process.used_at);
  auto quarter = ages.begin() + static_cast<ptrdiff_t>(ages.size() / 4);
  std::nth_element(ages.begin(), quarter, ages.end());
  std::erase_if(processes_, [&](auto& item) { return item.second.used_at <= *quarter; });
}

void Processes::process_events() {
  if (!watch_) return;
  for (MappingEvent& event : watch_->take()) apply(event);
}

void Processes::apply(MappingEvent& event) {
  if (event.kind == MappingEvent::Kind::Exit) return;  // records may still refer to its addresses
  if (event.kind == MappingEvent::Kind::Fork) {
    Process& parent = entry(event.parent);
    Process child{.maps = parent.maps, .root = parent.root, .used_at = Clock::now(), .generation = ++last_generation_};
    processes_.erase(event.tgid);  // an exited process with the same pid
    make_room();
    processes_.emplace(event.tgid, std::move(child));
    return;
  }
  Process& process = entry(event.tgid);
  process.generation = ++last_generation_;
  if (event.kind == MappingEvent::Kind::Execute) {
    process.before_exec = std::exchange(process.maps, std::make_shared<ProcessMaps>());
    process.perf_map = {};
    process.is_perf_map_fresh = false;
    note_root(event.tgid, process);
    return;
  }
  if (process.maps.use_count() > 1) process.maps = std::make_shared<ProcessMaps>(*process.maps);
  process.maps->add(std::move(event.mapping));
}

const Mapping* Processes::find(uint32_t tgid, uint64_t address) {
  Process* process = look_up(tgid);
  return process == nullptr ? nullptr : find(*process, address);
}

const Mapping* Processes::find(const Process& process, uint64_t address) {
  if (const Mapping* found = process.maps->find(address)) return found;
  return process.before_exec ? process.before_exec->find(address) : nullptr;
}

uint64_t Processes::generation(uint32_t tgid) {
  Process* process = look_up(tgid);
  return process == nullptr ? 0 : process->generation;
}

bool Processes::may_have_code_at(uint32_t tgid, uint64_t address) {
  Process* process = look_up(tgid);
  if (process == nullptr || process->maps->mappings().empty()) return true;
  const Mapping* mapping = find(*process, address);
  if (mapping != nullptr && mapping->is_executable) return true;
  if (!process->is_alive && watch_ == nullptr) return true;
  // Compilers make memory executable after they have filled it; a perf map names what they put there.
  return find_in_perf_map(tgid, address).has_value();
}

std::optional<SymbolTable::Found> Processes::find_in_perf_map(uint32_t tgid, uint64_t address) {
  Process* process = look_up(tgid);
  if (!process) return std::nullopt;
  auto found = process->perf_map.find(address);
  // The compiler appends to the file while the process runs, so a miss reads it again.
  if (found || process->is_perf_map_fresh || !process->owner) return found;
  process->is_perf_map_fresh = true;
  if (SymbolTable map = read_perf_map(tgid, *process->owner); !map.empty()) process->perf_map = std::move(map);
  return process->perf_map.find(address);
}

}  // namespace dscope
