// Operands of static probes in AArch64 assembler, as GCC and Clang write them: w0, x1, sp, [x0], [sp, 16],
// [x1, x2, lsl 3].
#include <algorithm>
#include <array>
#include <optional>

#include "arch/aarch64.h"
#include "arch/operand_number.h"

namespace dscope {

namespace {

constexpr uint32_t sp_offset = 248, link_register = 30;

// The offset in struct pt_regs of x0 ... x30, lr, sp; also of w0 ... and wsp if `may_be_narrow`: the lower halves.
std::optional<uint32_t> find_register(std::string_view name, bool may_be_narrow) {
  if (name == "sp" || (may_be_narrow && name == "wsp")) return sp_offset;
  if (name == "lr") return link_register * 8;
  bool is_general = name.starts_with('x') || (may_be_narrow && name.starts_with('w'));
  auto number = is_general ? parse_integer<uint32_t>(name.substr(1)) : std::nullopt;
  return number && *number <= link_register ? std::optional{*number * 8} : std::nullopt;
}

// Removes the mark of a number: "#16" and "16" are the same.
std::optional<int64_t> immediate(std::string_view text) {
  return operand_number<int64_t>(text.substr(text.starts_with('#') ? 1 : 0));
}

// The parts of "x1, x2, lsl 3" between the commas, without the blanks around them.
struct Parts {
  std::array<std::string_view, 3> part;
  size_t count = 0;
};
std::optional<Parts> split(std::string_view text) {
  Parts parts;
  for (bool is_last = false; !is_last;) {
    if (parts.count == parts.part.size()) return std::nullopt;
    size_t comma = text.find(',');
    is_last = comma == std::string_view::npos;
    std::string_view& part = parts.part[parts.count++] = text.substr(0, comma);
    text.remove_prefix(is_last ? text.size() : comma + 1);
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    part = part.substr(0, part.find_last_not_of(' ') + 1);
  }
  return parts;
}

// Index registers of 32 bits, which the instruction extends, are not supported.
bool read_index(const Parts& parts, ArgSource& source) {
  auto index = find_register(parts.part[1], false);
  if (!index) return false;
  source.index = *index;
  source.scale = 1;
  if (parts.count == 2) return true;
  std::string_view shift = parts.part[2];
  constexpr std::string_view keyword = "lsl ";
  constexpr int64_t max_shift = 4;
  if (!shift.starts_with(keyword)) return false;
  auto bits = immediate(shift.substr(keyword.size()));
  if (!bits || *bits < 0 || *bits > max_shift) return false;
  source.scale = 1U << *bits;
  return true;
}

}  // namespace

bool read_aarch64_operand(std::string_view text, ArgSource& source) {
  if (text == "xzr" || text == "wzr") {
    source.kind = ArgSourceKind::Constant;
    return true;
  }
  if (auto found = find_register(text, true)) {
    source.kind = ArgSourceKind::Register;
    source.offset = *found;
    return true;
  }
  if (!text.starts_with('[') || !text.ends_with(']')) return false;
  auto parts = split(text.substr(1, text.size() - 2));
  auto base = parts ? find_register(parts->part[0], false) : std::nullopt;
  if (!base) return false;
  source.kind = ArgSourceKind::UserMemory;
  source.base = *base;
  if (parts->count == 1) return true;
  if (auto offset = immediate(parts->part[1]); offset && parts->count == 2) {
    source.offset = *offset;
    return true;
  }
  return read_index(*parts, source);
}

}  // namespace dscope
