#include "runtime/load/task_storage.h"

#include <bpf/bpf.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <vector>

#include "runtime/kernel/cpu_pin.h"
#include "support/fd.h"

namespace dscope {

void prefill_task_storage(const BpfMap& map) {
  constexpr uint32_t max_small_size = 128;  // bytes; the kernel caches several elements of this size
  Fd self{static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0))};
  cpu_set_t allowed;
  if (map.value_size() <= max_small_size || !self || ::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  std::vector<std::byte> nothing(map.value_size());
  int key = self.get();
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(static_cast<size_t>(cpu), &allowed)) continue;
    CpuPin pin{cpu};
    // An allocation makes the kernel refill the cache.
    if (::bpf_map_update_elem(map.fd(), &key, nothing.data(), BPF_ANY) == 0) ::bpf_map_delete_elem(map.fd(), &key);
  }
}

}  // namespace dscope
