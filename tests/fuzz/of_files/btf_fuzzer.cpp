// Types of the kernel and its modules. A module's BTF comes from the .ko file of whoever built it.
#include <sys/stat.h>

#include "foreign_file.h"
#include "runtime/kernel/btf_types.h"

namespace {

// Removed at exit, after the file in it.
struct ScratchDirectory {
  std::string path = dscope::fuzz::scratch_path("btf");
  ScratchDirectory() { ::mkdir(path.c_str(), 0700); }
  ~ScratchDirectory() { ::rmdir(path.c_str()); }
};

// Imports up to 32 types of a kind with their members.
void import_all(dscope::KernelTypes& kernel, dscope::TypeTable& types, uint32_t kind, const std::string& keyword) {
  size_t left = 32;
  for (std::string_view name : kernel.vmlinux()->names(kind)) {
    if (left-- == 0) return;
    auto type = kernel.find(types, "", keyword + std::string(name));
    if (!type) continue;
    kernel.complete(types, *type);
    types.size_of(*type);
    types.spell(*type);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const ScratchDirectory directory;
  static const dscope::fuzz::NamedFile file(directory.path + "/vmlinux");
  file.write(data, size);
  dscope::KernelTypes kernel(directory.path, "/nonexistent");
  if (kernel.vmlinux() == nullptr) return 0;
  dscope::TypeTable types;
  import_all(kernel, types, BTF_KIND_STRUCT, "struct ");
  import_all(kernel, types, BTF_KIND_UNION, "union ");
  import_all(kernel, types, BTF_KIND_ENUM, "enum ");
  import_all(kernel, types, BTF_KIND_TYPEDEF, "");
  for (const std::string& name : kernel.tracepoint_names()) kernel.tracepoint_parameters(types, name);
  kernel.find_object(types, "", "jiffies");
  kernel.nearest("struct task");
  return 0;
}
