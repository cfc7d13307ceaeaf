// Processes: the mappings, perf maps and root directories of processes, kept after they exit.
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
  // Records the mappings of all processes from now on, so that even short-lived ones keep their names. Without it, or
  // without the privilege for it, a process must be queried once while it lives.
  void watch() { watch_ = MappingWatch::open(); }
  // Applies the recorded events. Call it often enough that the kernel's buffers do not overflow.
  void process_events();
  // Reads the maps of a process now, before it can exit.
  void remember(uint32_t tgid) { look_up(tgid); }

  // The mapping that contains the address, or else the one that did before the process last called exec; null if there
  // is none. Valid until the next call of a non-const function.
  const Mapping* find(uint32_t tgid, uint64_t address);
  // A number that changes whenever find() may return another mapping for an address of the process; 0: the process is
  // unknown.
  uint64_t generation(uint32_t tgid);
  // False if the process surely has no code at the address. True if its mappings may be outdated: those of a process
  // that exited without being watched, for example.
  bool may_have_code_at(uint32_t tgid, uint64_t address);
  // A path to the root directory of a process in another mount namespace (a container), valid after its exit, too.
  // Empty if the process shares our mounts or its root was never opened.
  std::string root(uint32_t tgid);
  // The symbol of just-in-time compiled code that contains the address. The name is valid until the next call of a
  // non-const function.
  std::optional<SymbolTable::Found> find_in_perf_map(uint32_t tgid, uint64_t address);

 private:
  using Clock = std::chrono::steady_clock;
  // A child shares the maps of its parent until either changes.
  using SharedMaps = std::shared_ptr<ProcessMaps>;
  using SharedRoot = std::shared_ptr<const Fd>;  // null for our own root
  struct Process {
    SharedMaps maps = std::make_shared<ProcessMaps>();
    SharedMaps before_exec;  // null if the process has not called exec since dscope first saw it
    SharedRoot root;
    Clock::time_point read_at{};  // last attempt to read the maps
    Clock::time_point used_at{};
    std::optional<uid_t> owner;
    uint64_t generation = 0;  // of the maps
    bool is_alive = true;
    bool is_perf_map_fresh = false;  // read later than the maps
    SymbolTable perf_map;
  };

  Process* look_up(uint32_t tgid);
  static const Mapping* find(const Process& process, uint64_t address);
  Process& entry(uint32_t tgid);
  void refresh(uint32_t tgid, Process& process);
  void apply(MappingEvent& event);
  void make_room();
  void note_root(uint32_t tgid, Process& process);

  // Device and inode of the directory, inode of the mount namespace.
  using RootKey = std::tuple<dev_t, ino_t, ino_t>;
  std::map<RootKey, SharedRoot> roots_;
  std::unique_ptr<MappingWatch> watch_;
  uint64_t last_generation_ = 0;
  std::unordered_map<uint32_t, Process> processes_;
};

}  // namespace dscope
