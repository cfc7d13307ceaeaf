#include "runtime/providers/process/usdt_operand.h"

#include "arch/operand_number.h"

namespace dscope {

namespace {

// Truncates a constant to its size: compilers write 255 of an unsigned byte as -1.
int64_t cut(int64_t value, uint32_t size, bool is_signed) {
  uint32_t unused = 64 - 8 * size;
  uint64_t high = static_cast<uint64_t>(value) << unused;
  return is_signed ? static_cast<int64_t>(high) >> unused : static_cast<int64_t>(high >> unused);
}

ArgSource read_operand(const Architecture& architecture, std::string_view text) {
  ArgSource source;
  if (size_t at = text.find('@'); at != std::string_view::npos) {
    std::string_view size = text.substr(0, at);
    text.remove_prefix(at + 1);
    source.is_signed = size.starts_with('-');
    if (source.is_signed) size.remove_prefix(1);
    if (size.ends_with('f')) size.remove_suffix(1);  // floating point: its bits
    source.size = operand_number<uint32_t>(size).value_or(8);
  }
  bool is_size = source.size == 1 || source.size == 2 || source.size == 4 || source.size == 8;
  ArgSource none{.size = is_size ? source.size : 8, .is_signed = source.is_signed};
  if (!is_size) return none;
  bool is_marked = text.starts_with('$') || text.starts_with('#');
  if (auto value = operand_number<int64_t>(text.substr(is_marked ? 1 : 0)); value || is_marked) {
    if (!value) return none;
    source.kind = ArgSourceKind::Constant;
    source.offset = cut(*value, source.size, source.is_signed);
    return source;
  }
  return architecture.read_operand(text, source) ? source : none;
}

// The length of the first operand: blanks inside "DWORD PTR [rbp-20]" and "[sp, 16]" do not end it.
size_t operand_length(std::string_view text) {
  size_t end = text.find(' ');
  auto is_within = [&] {
    std::string_view before = text.substr(0, end);
    bool is_in_brackets = before.rfind('[') != before.npos && before.find(']', before.rfind('[')) == before.npos;
    return is_in_brackets || before.ends_with("PTR") || text.substr(end + 1).starts_with("PTR ");
  };
  while (end < text.size() && is_within()) end = text.find(' ', end + 1);
  return std::min(end, text.size());
}

}  // namespace

std::vector<ArgSource> read_usdt_operands(const Architecture& architecture, std::string_view text) {
  std::vector<ArgSource> sources;
  while (!text.empty()) {
    std::string_view operand = text.substr(0, operand_length(text));
    text.remove_prefix(std::min(text.size(), operand.size() + 1));
    if (!operand.empty()) sources.push_back(read_operand(architecture, operand));
  }
  return sources;
}

}  // namespace dscope
