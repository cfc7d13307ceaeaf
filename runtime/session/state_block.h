// Maps that a running program and the session share in memory: the state block that programs check at each firing, the
// table of speculations, the drop counters.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "runtime/load/bpf_map.h"
#include "runtime/output/consumer.h"

namespace dscope {

// Map "ds_state". exit() in a program changes it at any time. The map must outlive the block.
class StateBlock {
 public:
  // Error if the map is missing or too small.
  static Result<StateBlock> open(const MapSet& maps);

  // The state of another run, by the descriptor of its map. Nothing if it cannot be mapped.
  static std::optional<StateBlock> of_descriptor(int map_fd);

  // One of DS_ACTIVITY_*.
  uint32_t activity() const { return std::atomic_ref<uint32_t>{state_->activity}.load(); }
  void set_activity(uint32_t activity) { std::atomic_ref<uint32_t>{state_->activity}.store(activity); }
  // Whether probes other than BEGIN and END fire.
  bool is_tracing() const;
  // Changes the activity if it is `from`; whether it was.
  bool change(uint32_t from, uint32_t to);
  // Changes STARTING to ACTIVE; does nothing if BEGIN has called exit().
  void arm() { change(DS_ACTIVITY_STARTING, DS_ACTIVITY_ACTIVE); }
  // Updates that find no room in the map of their aggregation go to map ds_overflow.
  void keep_overflow() { std::atomic_ref<uint32_t>{state_->keeps_overflow}.store(1); }
  // Updates the wall-clock offset and, if programs read it, the state of the machine (load, free memory). Called once a
  // second, so that walltimestamp follows clock steps and slews within a second.
  void update_clock();

 private:
  void update_machine();

  std::shared_ptr<MappedMemory> memory_;  // of another run's map
  ds_state* state_ = nullptr;
  bool has_machine_state_ = false;  // a MachineState follows the ds_state
};

// Map "ds_speculations"; an empty table if the program has none. The map must outlive the block.
class SpeculationBlock : public SpeculationTable {
 public:
  static SpeculationBlock open(const MapSet& maps);
  void release(uint32_t id) override;

 private:
  std::span<ds_speculation> table_;
};

// Map "ds_counters": drops per CPU.
class DropReader {
 public:
  // Error if the map is missing or too small.
  static Result<DropReader> open(const MapSet& maps);
  // The counters of all possible CPUs since the start of the program.
  Result<DropCounters> read() const;

 private:
  int fd_ = -1;
  uint32_t cpu_count_ = 0;
  size_t stride_ = 0;  // bytes per CPU
};

}  // namespace dscope
