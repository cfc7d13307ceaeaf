#include "runtime/load/ring_table.h"

#include <bpf/bpf.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

namespace dscope {
namespace {

// The kernel stores the ring at once, and returns when no program can see the previous content, after 6 to 20 ms. There
// is none, so nobody needs to wait.
void store_in_background(int table, uint32_t number, int ring, const std::shared_ptr<std::atomic<int>>& failure) {
  std::thread([table, number, ring, failure] {
    if (int status = bpf_map_update_elem(table, &number, &ring, BPF_ANY); status < 0) failure->store(-status);
  }).detach();
}

}  // namespace

Result<Fd> create_ring_table(const MapPlan& plan, const std::vector<int>& ring_fds) {
  LIBBPF_OPTS(bpf_map_create_opts, opts, .inner_map_fd = static_cast<uint32_t>(ring_fds.front()));
  auto count = static_cast<uint32_t>(ring_fds.size());
  int fd =
      bpf_map_create(BPF_MAP_TYPE_ARRAY_OF_MAPS, plan.name.c_str(), sizeof(uint32_t), sizeof(uint32_t), count, &opts);
  if (fd < 0) return fail(Error::from_errno(-fd, "cannot create BPF map {}", plan.name));
  Fd table{fd};
  auto failure = std::make_shared<std::atomic<int>>(0);
  for (uint32_t i = 0; i < count; ++i) store_in_background(fd, i, ring_fds[i], failure);
  for (uint32_t i = 0, id = 0; i < count;) {
    if (bpf_map_lookup_elem(fd, &i, &id) == 0) {
      ++i;
    } else {
      if (int error = failure->load(); error != 0)
        return fail(Error::from_errno(error, "cannot fill BPF map {}", plan.name));
      std::this_thread::sleep_for(std::chrono::microseconds{20});
    }
  }
  return table;
}

}  // namespace dscope
