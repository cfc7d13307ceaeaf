// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, chapter 2 and appendix A.
#include "arch/x86_64_decoder.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace dscope {

namespace {

// One character per opcode says what follows the opcode:
//   .  nothing                   b  1 byte               e  3 bytes
//   M  ModRM                     w  2 bytes              f  far address (32-bit code only)
//   B  ModRM, 1 byte             z  2 or 4 bytes         j  1 byte, a distance
//   Z  ModRM, 2 or 4 bytes       v  2, 4 or 8 bytes      J  2 or 4 bytes, a distance
//   i  nothing, y  1 byte, x  ModRM and 1 byte: 32-bit code only
//   g  ModRM, 1 byte for /0, /1  G  ModRM, 2 or 4 bytes for /0, /1
//   a  address                   -  invalid
constexpr std::string_view one_byte =
    "MMMMbziiMMMMbzi-"
    "MMMMbziiMMMMbzii"
    "MMMMbz-iMMMMbz-i"
    "MMMMbz-iMMMMbz-i"
    "................"
    "................"
    "iiMM----zZbB...."
    "jjjjjjjjjjjjjjjj"
    "BZxBMMMMMMMMMMMM"
    "..........f....."
    "aaaa....bz......"
    "bbbbbbbbvvvvvvvv"
    "BBw.MMBZe.w..bi."
    "MMMMyy-.MMMMMMMM"
    "jjjjbbbbJJfj...."
    "-.--..gG......MM";
constexpr std::string_view escape_0f =
    "MMMM-.....-.-M.B"
    "MMMMMMMMMMMMMMMM"
    "MMMM----MMMMMMMM"
    "......-.--------"
    "MMMMMMMMMMMMMMMM"
    "MMMMMMMMMMMMMMMM"
    "MMMMMMMMMMMMMMMM"
    "BBBBMMM.MM--MMMM"
    "JJJJJJJJJJJJJJJJ"
    "MMMMMMMMMMMMMMMM"
    "...MBM--...MBMMM"
    "MMMMMMMMMMBMMMMM"
    "MMBMBBBM........"
    "MMMMMMMMMMMMMMMM"
    "MMMMMMMMMMMMMMMM"
    "MMMMMMMMMMMMMMMM";
static_assert(one_byte.size() == 256 && escape_0f.size() == 256);

struct Range {
  uint8_t first, last;
};
// Opcodes of the maps in which all have ModRM.
constexpr Range legacy_0f38[] = {{0x00, 0x0b}, {0x10, 0x10}, {0x14, 0x15}, {0x17, 0x17}, {0x1c, 0x1e}, {0x20, 0x25},
                                 {0x28, 0x2b}, {0x30, 0x41}, {0x80, 0x82}, {0xc8, 0xcd}, {0xcf, 0xcf}, {0xd8, 0xd8},
                                 {0xdb, 0xdf}, {0xf0, 0xf1}, {0xf5, 0xf6}, {0xf8, 0xfc}};
constexpr Range legacy_0f3a[] = {{0x08, 0x0f}, {0x14, 0x17}, {0x20, 0x22}, {0x40, 0x42}, {0x44, 0x44},
                                 {0x60, 0x63}, {0xcc, 0xcc}, {0xce, 0xcf}, {0xdf, 0xdf}, {0xf0, 0xf0}};
constexpr Range vex_0f[] = {{0x10, 0x17}, {0x28, 0x2f}, {0x41, 0x42}, {0x44, 0x47}, {0x4a, 0x4b},
                            {0x50, 0x77}, {0x78, 0x7f}, {0x90, 0x93}, {0x98, 0x99}, {0xae, 0xae},
                            {0xc2, 0xc2}, {0xc4, 0xc6}, {0xd0, 0xff}};
constexpr Range vex_0f38[] = {{0x00, 0x1f}, {0x20, 0x47}, {0x49, 0x7d}, {0x7e, 0x93},
                              {0x96, 0xdf}, {0xe0, 0xef}, {0xf2, 0xf3}, {0xf5, 0xf7}};
constexpr Range vex_0f3a[] = {{0x00, 0x27}, {0x30, 0x33}, {0x38, 0x7f}, {0xc2, 0xc2},
                              {0xce, 0xcf}, {0xde, 0xdf}, {0xf0, 0xf0}};

bool contains(std::span<const Range> ranges, uint8_t opcode) {
  return std::ranges::any_of(ranges, [&](Range range) { return opcode >= range.first && opcode <= range.last; });
}

class Decoder {
 public:
  Decoder(std::span<const uint8_t> code, WordSize word_size)
      : code_(code.first(std::min(code.size(), max_size))), is_64_bit_(word_size == WordSize::Bits64) {}

  X86Instruction decode() {
    read_prefixes();
    read_opcode();
    char form = opcode_form();
    bool has_operands = std::string_view("MBZxgG").find(form) != std::string_view::npos;
    if (has_operands) read_operands();
    if (form == '-' || !is_valid_extension(has_operands)) return {};
    read_immediate(form);
    if (has_failed_) return {};
    result_.size = static_cast<uint8_t>(at_);
    return result_;
  }

 private:
  static constexpr size_t max_size = 15;

  uint8_t next() {
    if (at_ < code_.size()) return code_[at_++];
    has_failed_ = true;
    return 0;
  }
  uint8_t peek() const { return at_ < code_.size() ? code_[at_] : 0; }

  // Reads a little-endian number with sign.
  int64_t number(size_t size) {
    uint64_t value = 0;
    for (size_t i = 0; i < size; ++i) value |= uint64_t{next()} << (8 * i);
    auto unused = static_cast<int>(64 - 8 * size);
    return size == 0 ? 0 : static_cast<int64_t>(value << unused) >> unused;
  }

  void read_prefixes() {
    for (;; next()) {
      uint8_t byte = peek();
      bool is_rex = is_64_bit_ && (byte & 0xf0) == 0x40;
      bool is_legacy = std::ranges::find(legacy_prefixes, byte) != std::end(legacy_prefixes);
      if (at_ >= code_.size() || (!is_rex && !is_legacy)) return;
      rex_ = is_rex ? byte : 0;  // a REX prefix counts only directly before the opcode
      has_operand_size_ |= byte == 0x66;
      result_.has_short_addresses |= byte == 0x67;
      if (byte == 0xf2 || byte == 0xf3) result_.prefix = byte == 0xf3 ? X86Prefix::Repeat : X86Prefix::RepeatNot;
    }
  }

  void read_opcode() {
    if (result_.prefix == X86Prefix::None && has_operand_size_) result_.prefix = X86Prefix::Size;
    result_.is_wide = (rex_ & 8) != 0;
    uint8_t byte = next();
    // In 32-bit code, the bytes are another instruction's unless registers would follow.
    bool is_vector = is_64_bit_ || (peek() & 0xc0) == 0xc0;
    if (byte == 0xc5 && is_vector) return read_vex2();
    if (byte == 0xc4 && is_vector) return read_vex3(X86Map::OneByte);
    if (byte == 0x8f && (peek() & 0x1f) >= 8) return read_vex3(X86Map::Xop);
    if (byte == 0x62 && is_vector) return read_evex();
    if (byte == 0x0f) {
      result_.map = X86Map::Escape0f;
      byte = next();
      if (byte == 0x38 || byte == 0x3a) {
        result_.map = byte == 0x38 ? X86Map::Escape0f38 : X86Map::Escape0f3a;
        byte = next();
      }
    }
    result_.opcode = byte;
  }

  void begin_vector(uint8_t prefix) {
    result_.is_vex = true;
    result_.prefix = static_cast<X86Prefix>(prefix & 3);
    // Legacy prefixes of the opcode must be in the VEX prefix.
    has_failed_ |= has_operand_size_ || rex_ != 0;
  }
  void read_vex2() {
    uint8_t second = next();
    begin_vector(second);
    rex_ = (second & 0x80) == 0 ? 4 : 0;
    result_.map = X86Map::Escape0f;
    result_.opcode = next();
  }
  void read_vex3(X86Map map) {
    uint8_t second = next(), third = next();
    begin_vector(third);
    rex_ = static_cast<uint8_t>((~second >> 5 & 7) | (third >> 4 & 8));
    result_.is_wide = (third & 0x80) != 0;
    uint8_t number = second & 0x1f;
    if (map == X86Map::Xop) {
      xop_map_ = number;
      has_failed_ |= number > 10;
      result_.map = map;
    } else {
      set_vector_map(number);
      has_failed_ |= number > 3;
    }
    result_.opcode = next();
  }
  void read_evex() {
    uint8_t second = next(), third = next();
    next();
    begin_vector(third);
    rex_ = static_cast<uint8_t>(~second >> 5 & 7);
    has_high_register_ = (second & 0x10) == 0;
    result_.is_wide = (third & 0x80) != 0;
    is_evex_ = true;
    has_failed_ |= (second & 8) != 0 || (third & 4) == 0;  // reserved
    set_vector_map(second & 7);
    result_.opcode = next();
  }
  void set_vector_map(uint8_t number) {
    constexpr std::array<std::optional<X86Map>, 8> maps = {std::nullopt,       X86Map::Escape0f, X86Map::Escape0f38,
                                                           X86Map::Escape0f3a, std::nullopt,     X86Map::Map5,
                                                           X86Map::Map6,       std::nullopt};
    has_failed_ |= number >= maps.size() || !maps[number];
    if (!has_failed_) result_.map = *maps[number];
  }

  char opcode_form() const {
    uint8_t opcode = result_.opcode;
    auto with_operands = [&](std::span<const Range> known, char form) { return contains(known, opcode) ? form : '-'; };
    switch (result_.map) {
      case X86Map::OneByte: return valid_here(one_byte[opcode]);
      case X86Map::Escape0f:
        if (result_.is_vex && !contains(vex_0f, opcode)) return '-';
        return escape_0f[opcode];
      case X86Map::Escape0f38: return result_.is_vex ? with_operands(vex_0f38, 'M') : with_operands(legacy_0f38, 'M');
      case X86Map::Escape0f3a: return result_.is_vex ? with_operands(vex_0f3a, 'B') : with_operands(legacy_0f3a, 'B');
      case X86Map::Map5:
      case X86Map::Map6: return is_evex_ ? 'M' : '-';
      case X86Map::Xop: return xop_map_ == 8 ? 'B' : (xop_map_ == 9 ? 'M' : 'Z');
    }
    return '-';
  }

  // The form in code of this word size.
  char valid_here(char form) const {
    bool is_narrow = form == 'i' || form == 'y' || form == 'x' || form == 'f';
    if (is_narrow && is_64_bit_) return '-';
    return form;
  }

  void read_operands() {
    uint8_t byte = next();
    result_.mod = byte >> 6;
    result_.reg = static_cast<uint8_t>((byte >> 3 & 7) | (rex_ & 4) << 1 | (has_high_register_ ? 16 : 0));
    result_.rm = byte & 7;
    if (result_.is_memory() && result_.has_short_addresses && !is_64_bit_) return read_16_bit_address();
    if (result_.is_memory() && result_.rm == 4) read_sib();
    result_.rm |= static_cast<uint8_t>((rex_ & 1) << 3);
    size_t size = result_.mod == 1 ? 1 : (result_.mod == 2 ? 4 : 0);
    bool has_no_sib_base = result_.has_sib && (result_.base & 7) == 5;
    if (result_.mod == 0 && (result_.has_no_base() || has_no_sib_base)) size = 4;
    result_.displacement = static_cast<int32_t>(number(size));
  }
  void read_sib() {
    uint8_t byte = next();
    result_.has_sib = true;
    result_.scale = static_cast<uint8_t>(1U << (byte >> 6));
    result_.index = static_cast<uint8_t>((byte >> 3 & 7) | (rex_ & 2) << 2);
    result_.base = static_cast<uint8_t>((byte & 7) | (rex_ & 1) << 3);
  }
  void read_16_bit_address() {
    bool is_absolute = result_.mod == 0 && result_.rm == 6;
    result_.displacement = static_cast<int32_t>(number(result_.mod == 2 || is_absolute ? 2 : result_.mod));
  }

  // Opcodes of which some values of ModRM.reg are undefined.
  bool is_valid_extension(bool has_operands) const {
    if (!has_operands || result_.is_vex || result_.map != X86Map::OneByte) return true;
    uint8_t extension = result_.reg & 7;
    bool is_memory = result_.is_memory();
    switch (result_.opcode) {
      case 0x62:
      case 0x8d:
      case 0xc4:
      case 0xc5: return is_memory;
      case 0x8c: return extension < 6;
      case 0x8e: return extension < 6 && extension != 1;
      case 0x8f: return extension == 0;
      case 0xc6:
      case 0xc7: return extension == 0 || (extension == 7 && !is_memory && result_.rm == 0);
      case 0xfe: return extension < 2;
      case 0xff: return extension < 7 && (is_memory || (extension != 3 && extension != 5));
      default: return true;
    }
  }

  void read_immediate(char form) {
    bool is_short = has_operand_size_ && !result_.is_wide;
    // Processors of Intel ignore a prefix 66 of jumps in 64-bit code, those of AMD do not.
    if (is_64_bit_ && is_short && is_distance(form)) has_failed_ = true;
    size_t word = is_short ? 2 : 4;
    bool is_test = (result_.reg & 7) < 2;
    switch (form) {
      case 'b':
      case 'B':
      case 'j':
      case 'y':
      case 'x': return set_immediate(1);
      case 'w': return set_immediate(2);
      case 'e': return set_immediate(3);
      case 'z':
      case 'J': return set_immediate(word);
      case 'Z': return set_immediate(result_.map == X86Map::Xop ? 4 : word);
      case 'v': return set_immediate(result_.is_wide ? 8 : word);
      case 'a': return set_immediate(is_64_bit_ != result_.has_short_addresses ? (is_64_bit_ ? 8 : 2) : 4);
      case 'f': return set_immediate(word + 2);
      case 'g': return set_immediate(is_test ? 1 : 0);
      case 'G': return set_immediate(is_test ? word : 0);
      case 'M': return set_immediate(is_extract() ? 2 : 0);
      default: return;
    }
  }
  bool is_distance(char form) const { return form == 'J' || (result_.is(X86Map::OneByte, 0xc7) && result_.reg == 7); }
  // extrq and insertq of SSE4a have two more bytes, unlike the vmread that they would be without prefix.
  bool is_extract() const {
    return result_.is(X86Map::Escape0f, 0x78) && !result_.is_memory() &&
           (result_.prefix == X86Prefix::Size || result_.prefix == X86Prefix::RepeatNot);
  }
  void set_immediate(size_t size) { result_.immediate = number(size); }

  static constexpr uint8_t legacy_prefixes[] = {0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0x66, 0x67, 0xf0, 0xf2, 0xf3};

  std::span<const uint8_t> code_;
  bool is_64_bit_;
  size_t at_ = 0;
  bool has_failed_ = false;
  bool has_operand_size_ = false;
  bool is_evex_ = false, has_high_register_ = false;
  uint8_t rex_ = 0, xop_map_ = 0;
  X86Instruction result_;
};

}  // namespace

X86Instruction decode_x86_instruction(std::span<const uint8_t> code, WordSize word_size) {
  return Decoder(code, word_size).decode();
}

}  // namespace dscope
