#include "headers/libclang.h"

#include <optional>

#include "support/format.h"
#include "support/shared_library.h"

namespace dscope {

namespace {

// Tries the newest release first. All releases since 14 have the functions of libclang.def.
std::optional<SharedLibrary> open_library() {
  constexpr int newest = 22, oldest = 14;
  for (int release = newest; release >= oldest; --release) {
    for (const std::string& name :
         {fmt::format("libclang-{}.so.{}", release, release), fmt::format("libclang.so.{}", release),
          fmt::format("libclang-{}.so.1", release), fmt::format("/usr/lib/llvm-{}/lib/libclang.so.1", release)})
      if (SharedLibrary library{name.c_str()}) return library;
  }
  for (const char* name : {"libclang-14.so.13", "libclang.so.13", "libclang.so.1", "libclang.so"})
    if (SharedLibrary library{name}) return library;
  return std::nullopt;
}

std::optional<LibClang> load() {
  auto library = open_library();
  if (!library) return std::nullopt;
  LibClang clang;
#define DS_CLANG(result, name, parameters) \
  if (!library->resolve("clang_" #name, clang.name)) return std::nullopt;
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
