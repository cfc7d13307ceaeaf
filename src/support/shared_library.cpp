#include "support/shared_library.h"

#include <dlfcn.h>

namespace dscope {

SharedLibrary::SharedLibrary(const char* name) : handle_(::dlopen(name, RTLD_LAZY | RTLD_LOCAL)) {}

void* SharedLibrary::find(const char* name) const { return ::dlsym(handle_, name); }

}  // namespace dscope
