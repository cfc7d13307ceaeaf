// The pieces of a run that session.cpp and session_loop.cpp share: the state block that programs look at, the record
// pump from ring to consumer, the drop counters.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/load/bpf_map.h"
#include "runtime/load/ring_reader.h"
#include "runtime/output/consumer.h"
#include "runtime/session/signal_watch.h"

namespace dscope {

// Map "ds_state" in memory. exit() in a program changes it at any time.
class StateBlock {
 public:
  static Result<StateBlock> open(const MapSet& maps);

  uint32_t activity() const { return std::atomic_ref<uint32_t>{state_->activity}.load(); }
  void set_activity(uint32_t activity) { std::atomic_ref<uint32_t>{state_->activity}.store(activity); }
  // STARTING to ACTIVE; not if exit() was called in BEGIN.
  void arm();
  // Clock steps and slews reach walltimestamp within a second, and so does what programs want to know of the machine.
  void update_clock();

 private:
  void update_machine();

  ds_state* state_ = nullptr;
  bool tells_of_machine_ = false;  // a MachineState follows
};

// Map "ds_speculations" in memory; empty if the program has none.
class SpeculationBlock : public SpeculationTable {
 public:
  static SpeculationBlock open(const MapSet& maps);
  void release(uint32_t id) override;

 private:
  std::span<ds_speculation> table_;
};

// Map "ds_counters": lost data per CPU.
class DropReader {
 public:
  static Result<DropReader> open(const MapSet& maps);
  Result<DropCounters> read() const;

 private:
  int fd_ = -1;
  uint32_t cpu_count_ = 0;
  size_t stride_ = 0;  // bytes per CPU
};

// Hands ring records to the consumer, in passes that are short enough to look at signals in between.
class RecordPump {
 public:
  RecordPump(RingReader& ring, Consumer& consumer, OutputStream& out) : ring_(ring), consumer_(consumer), out_(out) {}

  bool has_data() const { return ring_.has_data(); }
  // One pass; returns the number of records.
  size_t pass();
  // Everything that is in the ring by now, waiting for records that are still being written. Stops early at the second
  // signal and when the output cannot be written.
  void drain(const SignalWatch& signals);

 private:
  RingReader& ring_;
  Consumer& consumer_;
  OutputStream& out_;
};

}  // namespace dscope
