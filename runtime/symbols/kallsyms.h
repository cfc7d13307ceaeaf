// KernelSymbols: /proc/kallsyms by address. Read on first need: it is 5 MB of text.
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
    std::string_view name, module;
    uint64_t start;
    uint64_t module_start;  // of the first symbol of the module
  };

  // Without symbols if the kernel shows none (kptr_restrict) or there is no such file.
  static KernelSymbols load(const std::string& path = "/proc/kallsyms");
  static KernelSymbols parse(std::string text);

  std::optional<Found> find(uint64_t address) const;
  size_t size() const { return symbols_.size(); }

 private:
  struct Symbol {
    uint64_t start;
    uint32_t name;  // offset in text_
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
