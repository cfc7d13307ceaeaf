#include "runtime/elf/symbol_table.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace dscope {

namespace {
size_t leading_underscores(std::string_view name) { return std::min(name.find_first_not_of('_'), name.size()); }
}  // namespace

void SymbolTable::reserve(size_t symbols, size_t name_bytes) {
  symbols_.reserve(symbols);
  names_.reserve(name_bytes);
}

void SymbolTable::add(uint64_t start, uint64_t size, uint8_t preference, std::string_view name) {
  if (names_.size() + name.size() >= std::numeric_limits<uint32_t>::max()) return;
  symbols_.push_back({start, size, static_cast<uint32_t>(names_.size()), preference});
  names_ += name;
  names_ += '\0';
}

bool SymbolTable::is_before(const Symbol& a, const Symbol& b) const {
  if (a.start != b.start) return a.start < b.start;
  auto rank = [&](const Symbol& symbol) {
    std::string_view name = name_of(symbol);
    return std::tuple{symbol.preference, leading_underscores(name), symbol.size, name.size(), name};
  };
  return rank(a) < rank(b);
}

void SymbolTable::finish(bool keeps_all_names) {
  auto before = [this](const Symbol& a, const Symbol& b) { return is_before(a, b); };
  if (!std::is_sorted(symbols_.begin(), symbols_.end(), before)) std::sort(symbols_.begin(), symbols_.end(), before);
  auto same_start = [](const Symbol& a, const Symbol& b) { return a.start == b.start; };
  if (!keeps_all_names) symbols_.erase(std::unique(symbols_.begin(), symbols_.end(), same_start), symbols_.end());
  for (const Symbol& symbol : symbols_) max_size_ = std::max(max_size_, symbol.size);
}

std::vector<SymbolTable::Item> SymbolTable::items() const {
  std::vector<Item> items;
  items.reserve(symbols_.size());
  for (const Symbol& symbol : symbols_)
    items.push_back({name_of(symbol), symbol.start, symbol.size, symbol.preference});
  return items;
}

std::optional<SymbolTable::Found> SymbolTable::find(uint64_t address) const {
  auto above = std::upper_bound(symbols_.begin(), symbols_.end(), address,
                                [](uint64_t wanted, const Symbol& symbol) { return wanted < symbol.start; });
  if (above == symbols_.begin()) return std::nullopt;
  const Symbol& nearest = *(above - 1);
  // Symbols may be nested: a short symbol, or a label of size 0, may begin between the address and the start of the
  // long symbol that contains it.
  constexpr int max_nested = 32;
  int steps = 0;
  bool is_label_inside = false;  // `nearest` lies in a symbol that ends before the address
  for (auto at = above; at != symbols_.begin() && steps < max_nested; ++steps) {
    --at;
    bool is_worse = nearest.size == 0 && nearest.preference < at->preference;
    if (address - at->start < at->size && !is_worse) return Found{name_of(*at), at->start};
    is_label_inside |= nearest.start - at->start < at->size && !is_worse;
    if (address - at->start >= max_size_) break;
  }
  if (nearest.size == 0 && !is_label_inside) return Found{name_of(nearest), nearest.start};
  return std::nullopt;
}

}  // namespace dscope
