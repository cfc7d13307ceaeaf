// SymbolTable: symbols by address, from ELF files and perf maps. All names lie in one string, so that a table of
// 100,000 symbols is two allocations.
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
  // `size` in bytes, 0 if unknown. Among symbols at one address the lowest `preference` wins, then the fewest
  // leading underscores, the smallest size, the shortest name, and alphabetical order.
  void add(uint64_t start, uint64_t size, uint8_t preference, std::string_view name);
  // Sorts the symbols. Call it once, after the last add() and before the first find(). Drops all but the best name of
  // each address; with `keeps_all_names`, keeps them, and find() may return any of them.
  void finish(bool keeps_all_names = false);
  // The innermost symbol that contains `address`. A symbol of unknown size extends to the next symbol, unless it lies
  // inside another symbol of the same or a better preference. The name is valid as long as the table.
  std::optional<Found> find(uint64_t address) const;
  bool empty() const { return symbols_.empty(); }
  // All symbols by address; the best name of an address comes first. The names are valid as long as the table.
  struct Item {
    std::string_view name;
    uint64_t start, size;
    uint8_t preference;
  };
  std::vector<Item> items() const;

 private:
  struct Symbol {
    uint64_t start, size;
    uint32_t name;  // offset of the NUL-terminated name in names_
    uint8_t preference;
  };
  std::string_view name_of(const Symbol& symbol) const { return names_.c_str() + symbol.name; }
  bool is_before(const Symbol& a, const Symbol& b) const;

  std::vector<Symbol> symbols_;
  std::string names_;
  uint64_t max_size_ = 0;
};

}  // namespace dscope
