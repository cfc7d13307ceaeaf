// A shared library that is opened when it is first needed and stays open: large ones that few runs use cost the others
// nothing, and dscope runs where they are not installed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace dscope {

class SharedLibrary {
 public:
  // By the names that dlopen(3) takes; false afterwards if there is no such library.
  explicit SharedLibrary(const char* name);
  explicit operator bool() const { return handle_ != nullptr; }

  // False, and `function` null, if neither the library nor what it depends on has a function of that name.
  template <typename Function>
  bool resolve(const char* name, Function*& function) const {
    function = reinterpret_cast<Function*>(find(name));
    return function != nullptr;
  }

 private:
  void* find(const char* name) const;
  void* handle_;
};

// Where a name leads in a library that this process has loaded already, by its path or another link to the file: bytes
// from where the library begins; an indirect function's code has chosen by then. Nothing if the library is not here, or
// the name leads to another object.
std::optional<uint64_t> find_in_loaded_library(const std::string& file, const std::string& name);

}  // namespace dscope
