// KernelAddresses: address of a kernel symbol by name, from /proc/kallsyms. That file costs 38 ms to read, so it is
// read once, at the first question, and only a script with a `symbol asks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dscope {

class KernelAddresses {
 public:
  explicit KernelAddresses(std::string path = "/proc/kallsyms") : path_(std::move(path)) {}
  struct Symbol {
    uint64_t address = 0;  // without privileges addresses are hidden: 0
    std::string module;    // empty: the kernel proper
  };
  // module: empty (any, the kernel proper first), "vmlinux", or a module's name.
  std::optional<Symbol> find(std::string_view module, std::string_view name);
  // The symbol that looks like `name`; empty if none does.
  std::string nearest(std::string_view name);

 private:
  const std::string& text();

  std::string path_;
  std::string text_;
  bool is_read_ = false;
};

}  // namespace dscope
