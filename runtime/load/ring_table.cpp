#include "runtime/load/ring_table.h"

#include <bpf/bpf.h>

#include "runtime/load/inner_maps.h"

namespace dscope {
Result<Fd> create_ring_table(const MapPlan& plan, const std::vector<int>& ring_fds) {
  LIBBPF_OPTS(bpf_map_create_opts, opts, .inner_map_fd = static_cast<uint32_t>(ring_fds.front()));
  auto count = static_cast<uint32_t>(ring_fds.size());
  int fd =
      bpf_map_create(BPF_MAP_TYPE_ARRAY_OF_MAPS, plan.name.c_str(), sizeof(uint32_t), sizeof(uint32_t), count, &opts);
  if (fd < 0) return fail(Error::from_errno(-fd, "cannot create BPF map {}", plan.name));
  Fd table{fd};
  for (uint32_t i = 0; i < count; ++i) DS_TRY_VOID(store_inner_map(fd, i, ring_fds[i]));
  return table;
}

}  // namespace dscope
