#include "tests/support/fake_unwind_maps.h"

#include <cstddef>
#include <cstring>
#include <string_view>

#include "arch/unwind_machine.h"

namespace dscope::test {

FakeUnwindMaps fake_unwind_maps;

}  // namespace dscope::test

using dscope::test::fake_unwind_maps;

extern "C" {
unsigned long long fake_task = 0;

void* fake_map_lookup(const void* map, const void* key) {
  uint32_t number = 0;
  std::memcpy(&number, key, sizeof number);
  for (std::vector<uint32_t>& chunk : fake_unwind_maps.chunks)
    if (map == chunk.data()) return chunk.data();
  std::string_view name = static_cast<const char*>(map);
  if (name == "ds_unwind_chunks")
    return number < fake_unwind_maps.chunks.size() ? fake_unwind_maps.chunks[number].data() : nullptr;
  if (name == "ds_unwind_counters") return &fake_unwind_maps.counters;
  bool is_known = number == 1 && fake_unwind_maps.known.stack_start != 0;
  return is_known ? &fake_unwind_maps.known : nullptr;
}

long fake_map_update(const void*, const void*, const void*) { return 0; }

long fake_ring_output(const void*, const void* data, unsigned long long) {
  std::memcpy(&fake_unwind_maps.last_miss, data, sizeof fake_unwind_maps.last_miss);
  ++fake_unwind_maps.misses;
  return 0;
}
}

namespace dscope::test {

std::span<uint32_t> FakeUnwindMaps::add_chunk() { return chunks.emplace_back(DS_UNWIND_CHUNK_WORDS); }

void FakeUnwindMaps::run_process(FakeMemory of_task, uint32_t areas, uint32_t area_count) {
  memory = of_task;
  known = {.stack_start = of_task.stack_start,
           .code_pages = of_task.code_pages,
           .areas = areas,
           .area_count = area_count,
           .is_reported = 0};
  task = {.memory = reinterpret_cast<uint64_t>(&memory),
          .parent = reinterpret_cast<uint64_t>(&task),
          .process = 1,
          .uprobes = reinterpret_cast<uint64_t>(&uprobes)};
  fake_task = reinterpret_cast<uint64_t>(&task);
}

ds_unwind_walk fake_walk(uint64_t code, uint64_t stack, uint64_t frame) {
  ds_unwind_walk walk{};
  walk.offsets = {.task_memory = offsetof(FakeTask, memory),
                  .task_parent = offsetof(FakeTask, parent),
                  .task_process = offsetof(FakeTask, process),
                  .memory_stack_start = offsetof(FakeMemory, stack_start),
                  .memory_code_pages = offsetof(FakeMemory, code_pages),
                  .returns = {.task_uprobes = offsetof(FakeTask, uprobes),
                              .uprobe_returns = offsetof(FakeUprobes, returns),
                              .place = offsetof(FakeReturn, place),
                              .address = offsetof(FakeReturn, address),
                              .next = offsetof(FakeReturn, next)}};
  walk.machine = unwind_machine(native_architecture());
  walk.code = code;
  walk.stack = stack;
  walk.frame = frame;
  walk.process = 1;
  return walk;
}

}  // namespace dscope::test
