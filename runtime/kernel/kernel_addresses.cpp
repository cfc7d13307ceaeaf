// A line is "ffffffff81000000 T _text" or "ffffffffc0000000 t name\t[module]".
#include "runtime/kernel/kernel_addresses.h"

#include <algorithm>
#include <charconv>

#include "catalog/catalog.h"
#include "support/read_file.h"

namespace dscope {
namespace {

// `rest`: the line after the name, "" or "\t[module]".
std::string_view module_of(std::string_view rest) { return rest.size() > 3 ? rest.substr(2, rest.size() - 3) : ""; }

bool is_in_module(std::string_view rest, std::string_view module) {
  return module.empty() || module_of(rest) == (module == "vmlinux" ? "" : module);
}

}  // namespace

const std::string& KernelAddresses::text() {
  if (is_read_) return text_;
  is_read_ = true;
  if (auto read = read_file(path_.c_str())) text_ = std::move(*read);
  return text_;
}

const std::vector<uint64_t>& KernelAddresses::all_addresses() {
  if (!addresses_.empty()) return addresses_;
  for (std::string_view rest = text(); !rest.empty();) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    uint64_t address = 0;
    if (std::from_chars(line.data(), line.data() + line.size(), address, 16).ec == std::errc{})
      addresses_.push_back(address);
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  }
  std::ranges::sort(addresses_);
  return addresses_;
}

std::optional<uint64_t> KernelAddresses::size_of(std::string_view function) {
  auto symbol = find("", function);
  if (!symbol || symbol->address == 0) return std::nullopt;
  auto next = std::ranges::upper_bound(all_addresses(), symbol->address);
  return next == addresses_.end() ? std::nullopt : std::optional{*next - symbol->address};
}

std::string KernelAddresses::nearest(std::string_view name) {
  std::vector<std::string_view> names;
  std::string_view rest = text();
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    // The name follows the address and the letter of the type.
    size_t letter = line.find(' ');
    if (letter == std::string_view::npos || letter + 3 > line.size()) continue;
    std::string_view symbol = line.substr(letter + 3);
    names.push_back(symbol.substr(0, symbol.find('\t')));
  }
  return std::string(nearest_name(name, names));
}

std::optional<KernelAddresses::Symbol> KernelAddresses::find(std::string_view module, std::string_view name) {
  bool may_be_in_image = module.empty() || module == "vmlinux";
  std::optional<Symbol> answer;
  if (may_be_in_image && query(name, answer)) return answer;
  return find_in_text(module, name);
}

bool KernelAddresses::is_in_kernel_image(uint64_t address) {
  if (!has_bounds_) {
    has_bounds_ = true;
    start_ = query_("_stext").value_or(0);
    end_ = query_("_end").value_or(0);
    // Without CONFIG_KALLSYMS_ALL only code has symbols.
    if (end_ == 0) end_ = query_("_etext").value_or(0);
  }
  return start_ <= address && address < end_;
}

// The answer does not name the module, so only addresses in the kernel image count. Symbols of modules and per-CPU
// variables are left to kallsyms.
bool KernelAddresses::query(std::string_view name, std::optional<Symbol>& answer) {
  if (is_read_ || !query_) return false;
  auto address = query_(name);
  if (!address || (*address != 0 && !is_in_kernel_image(*address))) return false;
  if (*address != 0) answer = Symbol{*address, ""};
  return true;
}

std::optional<KernelAddresses::Symbol> KernelAddresses::find_in_text(std::string_view module, std::string_view name) {
  std::string wanted = " " + std::string{name};
  std::string_view text = this->text();
  for (size_t at = text.find(wanted); at != std::string_view::npos; at = text.find(wanted, at + 1)) {
    size_t name_end = at + wanted.size();
    size_t line_end = std::min(text.find('\n', name_end), text.size());
    std::string_view rest = text.substr(name_end, line_end - name_end);
    bool is_whole_name = rest.empty() || rest[0] == '\t';
    if (!is_whole_name || !is_in_module(rest, module)) continue;
    size_t line_start = text.rfind('\n', at);
    line_start = line_start == std::string_view::npos ? 0 : line_start + 1;
    uint64_t address = 0;
    std::from_chars(text.data() + line_start, text.data() + at, address, 16);
    return Symbol{address, std::string{module_of(rest)}};
  }
  return std::nullopt;
}

}  // namespace dscope
