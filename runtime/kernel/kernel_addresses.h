// KernelAddresses: the address of a kernel symbol by name. Queries the kernel where it supports that; otherwise, and
// for symbols of modules, reads /proc/kallsyms, once, because that takes 38 ms. Only scripts with a `symbol need
// either.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dscope {

class KernelAddresses {
 public:
  // The address of a symbol: 0 if the kernel has no such symbol, nothing if the kernel does not support the query.
  using Query = std::function<std::optional<uint64_t>(std::string_view name)>;

  // `path`: of kallsyms. `query`: may be empty.
  explicit KernelAddresses(std::string path, Query query = {}) : path_(std::move(path)), query_(std::move(query)) {}
  struct Symbol {
    uint64_t address = 0;  // 0 if the kernel hides addresses from the unprivileged
    std::string module;    // empty for the kernel itself
  };
  // `module`: "vmlinux", the name of a module, or empty for any, the kernel itself first.
  std::optional<Symbol> find(std::string_view module, std::string_view name);
  // The number of bytes from a function to the next symbol; nothing if the kernel hides addresses.
  std::optional<uint64_t> size_of(std::string_view function);
  // The symbol that is spelled most like `name`; empty if none is similar.
  std::string nearest(std::string_view name);

 private:
  // Queries the kernel. True if it answered: `answer` is then a symbol of the kernel itself, or nothing.
  bool query(std::string_view name, std::optional<Symbol>& answer);
  std::optional<Symbol> find_in_text(std::string_view module, std::string_view name);
  bool is_in_kernel_image(uint64_t address);
  const std::string& text();

  std::string path_;
  Query query_;
  bool has_bounds_ = false;       // start_ and end_ are known
  uint64_t start_ = 0, end_ = 0;  // of the kernel image; of its code where variables have no symbols
  const std::vector<uint64_t>& all_addresses();

  std::string text_;
  std::vector<uint64_t> addresses_;  // of all symbols, sorted; empty until they are needed
  bool is_read_ = false;
};

}  // namespace dscope
