#include "runtime/load/inner_maps.h"

#include <bpf/bpf.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include "contract/stacks/unwind_format.h"

namespace dscope {

// The kernel stores the map at once, and returns when no program can see the previous content, after 6 to 20 ms. There
// is none, so nobody needs to wait.
Result<> store_inner_map(int table, uint32_t number, int inner) {
  auto failure = std::make_shared<std::atomic<int>>(0);
  std::thread([table, number, inner, failure] {
    if (int status = bpf_map_update_elem(table, &number, &inner, BPF_ANY); status < 0) failure->store(-status);
  }).detach();
  for (uint32_t id = 0; bpf_map_lookup_elem(table, &number, &id) != 0;) {
    if (int error = failure->load(); error != 0) return fail(Error::from_errno(error, "cannot add to a map of maps"));
    std::this_thread::sleep_for(std::chrono::microseconds{20});
  }
  return {};
}

MapPlan unwind_chunk_plan() {
  return {.name = "ds_unwind_chunk",
          .kind = MapKind::Array,
          .key_size = 4,
          .value_size = DS_UNWIND_CHUNK_BYTES,
          .max_entries = 1,
          .is_mmapable = true};
}

}  // namespace dscope
