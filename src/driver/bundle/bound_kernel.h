// Kernels without BTF for which a bundle has the types: --bind at --build, and the choice of the kernel at the run.
#pragma once

#include <string>

#include "archive/portable_bundle.h"
#include "support/result.h"

namespace dscope {

// Reads a BTF file that is named after a kernel release: "5.4.0-42-generic.btf", as in BTFHub, or "vmlinux-5.4.0".
Result<BoundKernel> read_bound_kernel(const std::string& path);

// Provides the types of the running kernel if it has none itself and the bundle has them. Fails with one sentence if
// the bundle is bound to other kernels only. Does nothing for kernels with BTF, and for bundles that are not bound.
Result<> use_bound_types(PortableBundle& bundle);

}  // namespace dscope
