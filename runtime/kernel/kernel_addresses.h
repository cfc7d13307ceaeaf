// KernelAddresses: address of a kernel symbol by name. The kernel is asked for each where it answers; else, and for
// symbols of modules, /proc/kallsyms is read. That costs 38 ms, so it is done once, at the first such question, and
// only a script with a `symbol asks.
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
  // The address of a symbol: 0 if there is none; nothing if only the file tells.
  using Ask = std::function<std::optional<uint64_t>(std::string_view name)>;

  explicit KernelAddresses(std::string path, Ask ask = {}) : path_(std::move(path)), ask_(std::move(ask)) {}
  struct Symbol {
    uint64_t address = 0;  // without privileges addresses are hidden: 0
    std::string module;    // empty: the kernel proper
  };
  // module: empty (any, the kernel proper first), "vmlinux", or a module's name.
  std::optional<Symbol> find(std::string_view module, std::string_view name);
  // The bytes from a function to the next symbol; nothing if addresses are not to be had.
  std::optional<uint64_t> size_of(std::string_view function);
  // The symbol that looks like `name`; empty if none does.
  std::string nearest(std::string_view name);

 private:
  // True if `ask_` can tell; `answer` is then the symbol, of the kernel proper, or nothing.
  bool ask(std::string_view name, std::optional<Symbol>& answer);
  std::optional<Symbol> find_in_text(std::string_view module, std::string_view name);
  bool is_in_kernel_proper(uint64_t address);
  const std::string& text();

  std::string path_;
  Ask ask_;
  bool has_bounds_ = false;       // whether these were asked for:
  uint64_t start_ = 0, end_ = 0;  // of the kernel proper; of its code where only that has names
  const std::vector<uint64_t>& all_addresses();

  std::string text_;
  std::vector<uint64_t> addresses_;  // of all symbols, sorted; read when needed
  bool is_read_ = false;
};

}  // namespace dscope
