#include "driver/bundle/bound_kernel.h"

#include <sys/utsname.h>

#include <algorithm>
#include <cstring>

#include "runtime/kernel/bound_types.h"
#include "runtime/kernel/btf_index.h"
#include "support/read_file.h"
#include "support/text/format_join.h"

namespace dscope {

namespace {

// "/btf/5.4.0-42-generic.btf" -> "5.4.0-42-generic"
std::string release_of(std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') + 1);
  for (std::string_view prefix : {"vmlinux-", "btf-"})
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  if (name.ends_with(".btf")) name.remove_suffix(4);
  return std::string{name};
}

}  // namespace

Result<BoundKernel> read_bound_kernel(const std::string& path) {
  DS_TRY(std::string types, read_file(path.c_str()));
  BoundKernel kernel{.release = release_of(path), .types = std::move(types)};
  if (auto index = BtfIndex::over(std::as_bytes(std::span{kernel.types})); !index)
    return fail(Error::make("{}: not BTF of a kernel", path)
                    .hint("`objcopy -O binary --only-section=.BTF --set-section-flags .BTF=alloc vmlinux RELEASE.btf` "
                          "extracts it, `pahole --btf_encode_detached=RELEASE.btf vmlinux` makes it"));
  return kernel;
}

Result<> use_bound_types(PortableBundle& bundle) {
  if (bundle.kernels.empty() || has_kernel_types()) return {};
  utsname names{};
  ::uname(&names);
  auto kernel = std::ranges::find(bundle.kernels, std::string_view{names.release}, &BoundKernel::release);
  if (kernel == bundle.kernels.end()) {
    std::vector<std::string> releases;
    for (const BoundKernel& each : bundle.kernels) releases.push_back(each.release);
    return fail(Error::make("this kernel has no BTF, and the bundle has none for {}: it is bound to {}", names.release,
                            fmt::join(releases, ", "))
                    .hint("build the bundle with --bind=RELEASE.btf, the BTF of this kernel"));
  }
  bind_kernel_types(std::move(kernel->types));
  return {};
}

}  // namespace dscope
