// A shared library that is opened on first use and stays open. Large libraries cost nothing in runs that do not use
// them, and dscope runs without them if they are not installed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace dscope {

class SharedLibrary {
 public:
  // `name` is a name for dlopen(3). The object converts to false if there is no such library.
  explicit SharedLibrary(const char* name);
  explicit operator bool() const { return handle_ != nullptr; }

  // Returns false and sets `function` to null if neither the library nor its dependencies have a function of that name.
  template <typename Function>
  bool resolve(const char* name, Function*& function) const {
    function = reinterpret_cast<Function*>(find(name));
    return function != nullptr;
  }

 private:
  void* find(const char* name) const;
  void* handle_;
};

// The offset of a symbol from the base of a library that this process has already loaded. `file` is the library's path
// or another link to the file. For an indirect function, this is the offset of the implementation that its resolver
// chose. Nothing if the library is not loaded, or if the symbol resolves to another object.
std::optional<uint64_t> find_in_loaded_library(const std::string& file, const std::string& name);

}  // namespace dscope
