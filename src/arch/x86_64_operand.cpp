// Operands of static probes in x86 assembler, in AT&T or Intel syntax.
#include <algorithm>
#include <string>

#include "arch/operand_number.h"
#include "arch/x86_64.h"

namespace dscope {

namespace {

// Byte offset in struct pt_regs, by the name of the 64-bit register without its prefix.
struct Register {
  std::string_view name;
  uint32_t offset;
};
constexpr Register registers[] = {{"r15", 0},  {"r14", 8},  {"r13", 16}, {"r12", 24}, {"bp", 32},  {"bx", 40},
                                  {"r11", 48}, {"r10", 56}, {"r9", 64},  {"r8", 72},  {"ax", 80},  {"cx", 88},
                                  {"dx", 96},  {"si", 104}, {"di", 112}, {"ip", 128}, {"sp", 152}, {"site", 128}};

struct FoundRegister {
  uint32_t offset;
  bool is_second_byte;  // ah, bh, ch, dh
};

// rax, eax, ax, al, ah; rsi, esi, si, sil; r8, r8d, r8w, r8b.
std::optional<FoundRegister> find_register(std::string_view name) {
  bool is_second_byte = false;
  std::string core{name};
  bool is_numbered = core.size() >= 2 && core[0] == 'r' && core[1] >= '0' && core[1] <= '9';
  if (is_numbered) {
    if (core.back() == 'd' || core.back() == 'w' || core.back() == 'b') core.pop_back();
  } else if (core.size() == 3 && (core[0] == 'r' || core[0] == 'e')) {
    core.erase(0, 1);
  } else if (core.size() == 3 && core[2] == 'l') {
    core.pop_back();  // sil, dil, bpl, spl
  } else if (core.size() == 2 && (core[1] == 'l' || core[1] == 'h')) {
    is_second_byte = core[1] == 'h';
    core[1] = 'x';
  }
  for (const Register& row : registers)
    if (row.name == core) return FoundRegister{row.offset, is_second_byte};
  return std::nullopt;
}

// Parses Intel syntax (-masm=intel): "DWORD PTR [rbp+rcx*4-20]", "20[rbp]". The first register without a scale is the
// base.
bool read_intel_memory(std::string_view text, ArgSource& source) {
  if (size_t kind = text.find("PTR "); kind != std::string_view::npos) text.remove_prefix(kind + 4);
  size_t open = text.find('[');
  if (open == std::string_view::npos || !text.ends_with(']')) return false;
  std::string sum{text.substr(open + 1, text.size() - open - 2)};
  if (open > 0) sum += (text[0] == '-' ? "" : "+") + std::string{text.substr(0, open)};
  bool has_base = false;
  for (std::string_view rest = sum; !rest.empty();) {
    size_t end = std::min(rest.find_first_of("+-", 1), rest.size());
    std::string_view part = rest.substr(0, end);
    rest.remove_prefix(end);
    if (part.starts_with('+')) part.remove_prefix(1);
    size_t star = part.find('*');
    auto found = find_register(part.substr(0, star));
    auto value = found ? std::optional<int64_t>{} : operand_number<int64_t>(part);
    if ((!found && !value) || part == "rip") return false;
    if (value) source.offset += *value;
    if (found && star == std::string_view::npos && !has_base) {
      source.base = found->offset;
      has_base = true;
    } else if (found) {
      source.index = found->offset;
      source.scale = star == std::string_view::npos ? 1 : operand_number<uint32_t>(part.substr(star + 1)).value_or(0);
      if (source.scale == 0) return false;
    }
  }
  source.kind = ArgSourceKind::UserMemory;
  return has_base;
}

// Parses displacement(%base,%index,scale); each part may be missing.
bool read_memory(std::string_view text, ArgSource& source) {
  size_t open = text.find('(');
  if (open == std::string_view::npos || !text.ends_with(')')) return false;
  std::string_view displacement = text.substr(0, open), inner = text.substr(open + 1, text.size() - open - 2);
  if (!displacement.empty()) {
    auto value = operand_number<int64_t>(displacement);
    if (!value) return false;
    source.offset = *value;
  }
  std::string_view parts[3];
  for (std::string_view& part : parts) {
    part = inner.substr(0, inner.find(','));
    inner.remove_prefix(std::min(inner.size(), part.size() + 1));
  }
  source.kind = ArgSourceKind::UserMemory;
  auto whole = [](std::string_view part) {
    return part.starts_with('%') ? find_register(part.substr(1)) : std::optional<FoundRegister>{};
  };
  auto base = whole(parts[0]);
  // %rip-relative operands refer to the following instruction in the program, not to the probe's.
  if ((!base && !parts[0].empty()) || parts[0] == "%rip") return false;
  if (base) source.base = base->offset;
  if (parts[1].empty()) return base.has_value();
  auto index = whole(parts[1]);
  uint32_t scale = parts[2].empty() ? 1 : operand_number<uint32_t>(parts[2]).value_or(0);
  if (!index || scale == 0) return false;
  // Without a base the index becomes the base, and the scale decreases by one.
  if (!base) {
    source.base = index->offset;
    --scale;
  }
  if (scale != 0) source.index = index->offset;
  source.scale = scale;
  return true;
}

}  // namespace

bool read_x86_operand(std::string_view text, ArgSource& source) {
  bool has_sign = text.starts_with('%');
  if (auto found = find_register(text.substr(has_sign ? 1 : 0)); found || has_sign) {
    if (!found) return false;
    source.kind = ArgSourceKind::Register;
    source.offset = found->offset + (found->is_second_byte ? 1 : 0);
    return true;
  }
  return read_memory(text, source) || read_intel_memory(text, source);
}

}  // namespace dscope
