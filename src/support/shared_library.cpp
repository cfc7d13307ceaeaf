#include "support/shared_library.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/auxv.h>

namespace dscope {

namespace {

// A static program has no dynamic linker. Its dlopen() works only with the glibc that it was linked with, and crashes
// with others.
bool is_static_program() { return ::getauxval(AT_BASE) == 0; }

}  // namespace

SharedLibrary::SharedLibrary(const char* name)
    : handle_(is_static_program() ? nullptr : ::dlopen(name, RTLD_LAZY | RTLD_LOCAL)) {}

void* SharedLibrary::find(const char* name) const { return ::dlsym(handle_, name); }

std::optional<uint64_t> find_in_loaded_library(const std::string& file, const std::string& name) {
  void* handle = is_static_program() ? nullptr : ::dlopen(file.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) return std::nullopt;
  std::optional<uint64_t> found;
  link_map* map = nullptr;
  void* address = ::dlsym(handle, name.c_str());
  Dl_info around{};
  // The symbol may resolve to another object: time() is in the kernel's vDSO.
  bool is_here = address != nullptr && ::dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void*>(&map)) == 0 &&
                 ::dladdr(address, &around) != 0 && reinterpret_cast<uint64_t>(around.dli_fbase) == map->l_addr;
  if (is_here) found = reinterpret_cast<uint64_t>(address) - map->l_addr;
  ::dlclose(handle);
  return found;
}

}  // namespace dscope
