// KernelSymbols: the symbols of the kernel and its modules by address, from /proc/kallsyms: 5 MB of text, 50 ms.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dscope {

class KernelSymbols {
 public:
  struct Found {
    std::string_view name, module;  // "vmlinux" for the kernel itself; valid as long as the table
    uint64_t start;                 // address of the symbol
    uint64_t module_start;          // address of the module's first symbol
  };

  // No symbols if the kernel hides addresses (kptr_restrict) or the file cannot be read.
  static KernelSymbols load(const std::string& path = "/proc/kallsyms");
  // `text`: the content of kallsyms.
  static KernelSymbols parse(std::string text);

  // The last symbol at or below `address`. Nothing for user addresses and for more than 64 KiB past the last symbol
  // of a module: kallsyms lists no sizes.
  std::optional<Found> find(uint64_t address) const;
  size_t size() const { return symbols_.size(); }

 private:
  struct Symbol {
    uint64_t start;
    uint32_t name;  // offset of the name in text_
    uint16_t module;
    uint8_t preference;
  };
  struct Module {
    std::string name;
    uint64_t start;
  };

  uint16_t module_id(std::string_view name, uint64_t address);
  std::string_view name_of(const Symbol& symbol) const;
  bool is_better(const Symbol& a, const Symbol& b) const;
  void add_line(std::string_view line);
  void finish();

  std::string text_;
  std::vector<Symbol> symbols_;  // by address, one per address
  std::vector<Module> modules_;
};

}  // namespace dscope
