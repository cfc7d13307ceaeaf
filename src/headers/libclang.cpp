#include "headers/libclang.h"

#include <dlfcn.h>

#include <optional>

#include "support/format.h"

namespace dscope {

namespace {

// Newest first; any release from 14 on has the functions we call.
void* open_library() {
  constexpr int newest = 22, oldest = 14;
  for (int release = newest; release >= oldest; --release) {
    for (const std::string& name :
         {fmt::format("libclang-{}.so.{}", release, release), fmt::format("libclang.so.{}", release),
          fmt::format("libclang-{}.so.1", release), fmt::format("/usr/lib/llvm-{}/lib/libclang.so.1", release)})
      if (void* library = ::dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL)) return library;
  }
  for (const char* name : {"libclang-14.so.13", "libclang.so.13", "libclang.so.1", "libclang.so"})
    if (void* library = ::dlopen(name, RTLD_LAZY | RTLD_LOCAL)) return library;
  return nullptr;
}

// False if a function is missing.
template <typename Function>
bool resolve(void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(::dlsym(library, name));
  return function != nullptr;
}

std::optional<LibClang> load() {
  void* library = open_library();
  if (library == nullptr) return std::nullopt;
  LibClang clang;
#define DS_CLANG(result, name, parameters) \
  if (!resolve(library, "clang_" #name, clang.name)) return std::nullopt;
#include "headers/libclang.def"
#undef DS_CLANG
  return clang;
}

}  // namespace

std::string LibClang::text(CXString string) const {
  const char* characters = getCString(string);
  std::string copy = characters != nullptr ? characters : "";
  disposeString(string);
  return copy;
}

const LibClang* find_libclang() {
  static const std::optional<LibClang> library = load();
  return library ? &*library : nullptr;
}

}  // namespace dscope
