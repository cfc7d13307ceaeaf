// ProcessTables: answers the misses of BPF programs that unwind user stacks (contract/stacks/unwind_format.h). When a
// program meets a process for the first time, or after its mappings have changed, this class reads the mappings and the
// unwind tables of their files, and stores them in maps.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "contract/stacks/unwind_format.h"
#include "runtime/load/bpf_map.h"
#include "runtime/load/ring_reader.h"
#include "runtime/unwind/object_tables.h"
#include "support/result.h"

namespace dscope {

class ProcessTables {
 public:
  // Null if the maps are not those of a plan with unwind tables. They must outlive the result.
  static Result<std::unique_ptr<ProcessTables>> open(const MapSet& maps);

  // Becomes readable when a program has missed a process.
  int fd() const { return misses_.fd(); }
  // Answers misses, for some 50 ms. Processes whose mappings change all the time are read at intervals: call it
  // regularly.
  void handle_misses();
  // Reads a process before a program misses it.
  void add(uint32_t pid);

  // One sentence about the tables and about the stacks that were not complete. Empty if no stack was unwound.
  std::string summary() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Known {
    Clock::time_point read_at;
    uint32_t areas = 0, area_words = 0;  // in memory_
  };
  // A list of areas that programs may still read.
  struct Freed {
    Clock::time_point at;
    uint32_t areas, words;
  };

  ProcessTables(const MapSet& maps, RingReader misses);
  std::span<uint32_t> add_chunk(uint32_t number);
  void read(const ds_unwind_miss& miss, Clock::time_point now);
  void store(uint32_t pid, ds_unwind_process process, const std::vector<ds_unwind_area>& areas, Clock::time_point now);
  std::optional<uint32_t> allocate(uint32_t words, Clock::time_point now);
  void forget(uint32_t pid, Clock::time_point now);
  void forget_exited(Clock::time_point now);
  ds_unwind_counters counters() const;

  int chunk_table_, processes_, counters_map_;
  RingReader misses_;
  std::vector<BpfMap> chunks_;
  TableMemory memory_;
  ObjectTables tables_;
  std::map<uint32_t, Known> known_;              // by process
  std::map<uint32_t, std::deque<Freed>> freed_;  // by size in words
  std::deque<ds_unwind_miss> waiting_;
};

}  // namespace dscope
