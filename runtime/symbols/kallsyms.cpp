#include "runtime/symbols/kallsyms.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <tuple>

#include "support/fd.h"

namespace dscope {

namespace {

// The assumed size of a module's last symbol.
constexpr uint64_t max_last_symbol_size = uint64_t{64} * 1024;

std::string read_all(const std::string& path) {
  Fd fd{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  std::string text;
  if (!fd) return text;
  constexpr size_t step = size_t{1} << 20;
  size_t length = 0;
  for (;;) {
    if (text.size() - length < step) text.resize(text.size() + 8 * step);
    ssize_t got = ::read(fd.get(), text.data() + length, step);
    if (got <= 0) break;
    length += static_cast<size_t>(got);
  }
  text.resize(length);
  return text;
}

int hex_digit(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  return -1;
}

// Among the names of an address, global ones win over weak ones, and weak ones over local ones.
uint8_t preference_of(char type) {
  if (type == 'W' || type == 'V') return 1;
  return std::isupper(static_cast<unsigned char>(type)) ? 0 : 2;
}

}  // namespace

KernelSymbols KernelSymbols::load(const std::string& path) { return parse(read_all(path)); }

KernelSymbols KernelSymbols::parse(std::string text) {
  KernelSymbols result;
  result.text_ = std::move(text);
  result.modules_.push_back({"vmlinux", ~uint64_t{0}});
  result.symbols_.reserve(result.text_.size() / 40);
  std::string_view rest = result.text_;
  while (!rest.empty()) {
    size_t end = std::min(rest.find('\n'), rest.size());
    result.add_line(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  result.finish();
  return result;
}

// "ffffffff81000000 T name", for modules followed by a tab and "[module]".
void KernelSymbols::add_line(std::string_view line) {
  uint64_t address = 0;
  size_t at = 0;
  for (int digit; at < line.size() && (digit = hex_digit(line[at])) >= 0; ++at)
    address = address << 4 | static_cast<uint64_t>(digit);
  // Lower addresses are offsets into per-CPU areas; unprivileged readers get 0.
  bool is_kernel_address = static_cast<int64_t>(address) < 0;
  if (!is_kernel_address || at + 3 >= line.size()) return;
  char type = line[at + 1];
  size_t name = at + 3;
  size_t tab = line.find('\t', name);
  uint16_t module = 0;
  if (tab != std::string_view::npos && tab + 3 <= line.size() && line[tab + 1] == '[')
    module = module_id(line.substr(tab + 2, line.size() - tab - 3), address);
  modules_[module].start = std::min(modules_[module].start, address);
  auto offset = static_cast<uint32_t>(line.data() + name - text_.data());
  symbols_.push_back({address, offset, module, preference_of(type)});
}

uint16_t KernelSymbols::module_id(std::string_view name, uint64_t address) {
  // kallsyms lists the symbols of a module together.
  if (modules_.back().name == name) return static_cast<uint16_t>(modules_.size() - 1);
  auto found =
      std::find_if(modules_.begin(), modules_.end(), [&](const Module& module) { return module.name == name; });
  if (found != modules_.end()) return static_cast<uint16_t>(found - modules_.begin());
  if (modules_.size() == UINT16_MAX) return 0;
  modules_.push_back({std::string{name}, address});
  return static_cast<uint16_t>(modules_.size() - 1);
}

std::string_view KernelSymbols::name_of(const Symbol& symbol) const {
  std::string_view rest = std::string_view{text_}.substr(symbol.name);
  return rest.substr(0, rest.find_first_of("\t\n"));
}

bool KernelSymbols::is_better(const Symbol& a, const Symbol& b) const {
  auto rank = [this](const Symbol& symbol) {
    std::string_view name = name_of(symbol);
    return std::tuple{name.find_first_not_of('_'), symbol.preference, name};
  };
  return rank(a) < rank(b);
}

void KernelSymbols::finish() {
  auto by_address = [](const Symbol& a, const Symbol& b) { return a.start < b.start; };
  // The kernel's own symbols, which come first, are sorted already; those of modules are not.
  auto sorted_end = std::is_sorted_until(symbols_.begin(), symbols_.end(), by_address);
  std::stable_sort(sorted_end, symbols_.end(), by_address);
  std::inplace_merge(symbols_.begin(), sorted_end, symbols_.end(), by_address);
  size_t kept = 0;
  for (const Symbol& symbol : symbols_) {
    bool is_alias = kept != 0 && symbols_[kept - 1].start == symbol.start;
    if (!is_alias) symbols_[kept++] = symbol;
    else if (is_better(symbol, symbols_[kept - 1])) symbols_[kept - 1] = symbol;
  }
  symbols_.resize(kept);
}

std::optional<KernelSymbols::Found> KernelSymbols::find(uint64_t address) const {
  auto above = std::upper_bound(symbols_.begin(), symbols_.end(), address,
                                [](uint64_t wanted, const Symbol& symbol) { return wanted < symbol.start; });
  if (above == symbols_.begin()) return std::nullopt;
  const Symbol& symbol = *(above - 1);
  bool is_last = above == symbols_.end() || above->module != symbol.module;
  if (is_last && address - symbol.start >= max_last_symbol_size) return std::nullopt;
  const Module& module = modules_[symbol.module];
  return Found{name_of(symbol), module.name, symbol.start, module.start};
}

}  // namespace dscope
