// Processes: what is known of the memory of processes, those that have exited included.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>

#include "runtime/elf/process_maps.h"
#include "runtime/elf/symbol_table.h"
#include "runtime/symbols/mapping_watch.h"
#include "support/fd.h"

namespace dscope {

class Processes {
 public:
  // Listens to the kernel from now on: processes that start later keep their names however short they live. Without it
  // only those that were asked for while they lived do.
  void watch() { watch_ = MappingWatch::open(); }
  // Processes the kernel's pending mapping events. Call often enough that its buffers do not overflow.
  void process_events();
  // Reads the maps of a process now, before it can exit.
  void remember(uint32_t tgid) { look_up(tgid); }

  // Where the address lies in the process, also in what it was before it last executed a program; null if unknown.
  // Valid until the next call of any function here.
  const Mapping* find(uint32_t tgid, uint64_t address);
  // What leads to the root directory of a process with files of its own (a container), also when it has ended; empty:
  // it has ours, or that was never seen.
  std::string root(uint32_t tgid);
  // The symbol of compiled code around the address.
  std::optional<SymbolTable::Found> find_in_perf_map(uint32_t tgid, uint64_t address);

 private:
  using Clock = std::chrono::steady_clock;
  // Children share the maps of their parents until one of them changes.
  using SharedMaps = std::shared_ptr<ProcessMaps>;
  using SharedRoot = std::shared_ptr<const Fd>;  // null: ours
  struct Process {
    SharedMaps maps = std::make_shared<ProcessMaps>();
    SharedMaps earlier;  // of the program before the last exec
    SharedRoot root;
    Clock::time_point read_at{};  // of the last attempt to read the maps
    Clock::time_point used_at{};
    std::optional<uid_t> owner;
    bool is_alive = true;
    bool is_perf_map_fresh = false;  // read since the maps were
    SymbolTable perf_map;
  };

  Process* look_up(uint32_t tgid);
  Process& entry(uint32_t tgid);
  void refresh(uint32_t tgid, Process& process);
  void apply(MappingEvent& event);
  void make_room();
  void note_root(uint32_t tgid, Process& process);

  // A directory, and the mounts below it.
  using RootKey = std::tuple<dev_t, ino_t, ino_t>;
  std::map<RootKey, SharedRoot> roots_;
  std::unique_ptr<MappingWatch> watch_;
  std::unordered_map<uint32_t, Process> processes_;
};

}  // namespace dscope
