#include "runtime/load/module_types.h"

#include <bpf/bpf.h>
#include <linux/bpf.h>

#include <array>

namespace dscope {

int ModuleTypes::find(const std::string& module) {
  if (auto known = known_.find(module); known != known_.end()) return known->second.get();
  Fd& result = known_[module];
  for (uint32_t id = 0; bpf_btf_get_next_id(id, &id) == 0;) {
    Fd blob{bpf_btf_get_fd_by_id(id)};
    if (!blob) continue;
    std::array<char, 64> name{};
    bpf_btf_info info{};
    info.name = reinterpret_cast<uint64_t>(name.data());
    info.name_len = name.size();
    uint32_t size = sizeof info;
    if (bpf_obj_get_info_by_fd(blob.get(), &info, &size) < 0 || info.kernel_btf == 0 || module != name.data()) continue;
    result = std::move(blob);
    break;
  }
  return result.get();
}

}  // namespace dscope
