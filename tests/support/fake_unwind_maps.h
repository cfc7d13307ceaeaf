// The maps and kernel objects that ds_unwind() reads (codegen/bpf/unwind.bpf.c), as memory of a test program with one
// process, ID 1. Programs that link it define fake_read_user() if the helpers read no memory of their own.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contract/stacks/unwind_format.h"

namespace dscope::test {

struct FakeUprobes {
  uint64_t returns = 0;  // address of a FakeReturn
};
// An address on the stack that a uretprobe has replaced.
struct FakeReturn {
  uint64_t place = 0, address = 0, next = 0;
};
struct FakeTask {
  uint64_t memory = 0, parent = 0, process = 0, uprobes = 0;
};
struct FakeMemory {
  uint64_t stack_start = 0, code_pages = 0;
};

struct FakeUnwindMaps {
  std::vector<std::vector<uint32_t>> chunks;
  ds_unwind_process known{};  // stack_start 0: the process is not known
  ds_unwind_counters counters{};
  ds_unwind_miss last_miss{};
  int misses = 0;
  FakeMemory memory;
  FakeUprobes uprobes;
  FakeTask task;

  // For TableMemory.
  std::span<uint32_t> add_chunk();
  // Makes the process of `task` the running one, its own parent, and known with these areas.
  void run_process(FakeMemory of_task, uint32_t areas, uint32_t area_count);
};

extern FakeUnwindMaps fake_unwind_maps;

// A walk of the running process that starts at these registers.
ds_unwind_walk fake_walk(uint64_t code, uint64_t stack, uint64_t frame);

}  // namespace dscope::test
