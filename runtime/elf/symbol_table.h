// SymbolTable: names by address, as ELF files, perf maps and kallsyms give them. Names are kept back to back in one
// text, so that a table of 100,000 symbols is two allocations.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dscope {

class SymbolTable {
 public:
  struct Found {
    std::string_view name;
    uint64_t start;
  };

  void reserve(size_t symbols, size_t name_bytes);
  // `preference`: of several names for one address the lowest wins; then the one with fewest leading underscores, then
  // the smallest symbol, then the shortest name, then the first in the alphabet.
  void add(uint64_t start, uint64_t size, uint8_t preference, std::string_view name);
  // Call once after the last add(), before the first find(). With all names kept, find() may give any of an address.
  void finish(bool keeps_all_names = false);
  // The innermost symbol around `address`; one of unknown size (0) reaches up to the next symbol, but for what lies in
  // another one that is preferred as much.
  std::optional<Found> find(uint64_t address) const;
  bool empty() const { return symbols_.empty(); }
  // All symbols by address, the best name of each address first if finish() kept the others.
  struct Item {
    std::string_view name;
    uint64_t start, size;
    uint8_t preference;
  };
  std::vector<Item> items() const;

 private:
  struct Symbol {
    uint64_t start, size;
    uint32_t name;  // offset of its text, which ends with NUL
    uint8_t preference;
  };
  std::string_view name_of(const Symbol& symbol) const { return names_.c_str() + symbol.name; }
  bool is_before(const Symbol& a, const Symbol& b) const;

  std::vector<Symbol> symbols_;
  std::string names_;
  uint64_t longest_ = 0;
};

}  // namespace dscope
