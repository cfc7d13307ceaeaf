#include "runtime/format/raw_dump.h"

#include <algorithm>
#include <cctype>

#include "runtime/format/append_text.h"
#include "runtime/format/value.h"

namespace dscope {

namespace {

constexpr size_t bytes_per_line = 16;
constexpr size_t margin = 5;
constexpr int64_t max_slot_size = 1 << 20;  // bytes; strsize may be gigabytes, which nobody reads

bool is_printable(unsigned char byte) {
  return std::isprint(byte) || std::isspace(byte) || byte == '\b' || byte == '\a';
}

void append_dump_line(std::string& out, size_t offset, std::span<const std::byte> bytes) {
  constexpr char hex[] = "0123456789abcdef";
  std::string offset_text;
  append_hex(offset_text, offset);
  append_blanks(out, margin);
  append_right(out, offset_text, 5);
  out += ':';
  for (std::byte byte : bytes) {
    auto value = std::to_integer<unsigned>(byte);
    out += ' ';
    out += hex[value >> 4];
    out += hex[value & 15];
  }
  append_blanks(out, 3 * (bytes_per_line - bytes.size()) + 2);
  for (std::byte byte : bytes) {
    auto value = std::to_integer<unsigned char>(byte);
    out += value >= 0x20 && value <= 0x7e ? static_cast<char>(value) : '.';
  }
  out += '\n';
}

}  // namespace

bool looks_like_text(std::span<const std::byte> bytes) {
  size_t length = text_of(bytes).size();
  if (length == 0) return false;
  for (size_t i = 0; i < bytes.size(); ++i) {
    auto byte = std::to_integer<unsigned char>(bytes[i]);
    if (i < length ? !is_printable(byte) : byte != 0) return false;
  }
  return true;
}

void append_raw_dump(std::string& out, std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  out += '\n';
  append_blanks(out, margin + 6);
  out += "  0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n";
  for (size_t offset = 0; offset < bytes.size(); offset += bytes_per_line)
    append_dump_line(out, offset, bytes.subspan(offset, std::min(bytes_per_line, bytes.size() - offset)));
}

void append_raw_string(std::string& out, std::string_view text, const OptionValues& options) {
  std::string slot{text};
  auto strsize = static_cast<size_t>(std::clamp<int64_t>(options.number(OptionId::Strsize), 0, max_slot_size));
  slot.resize(std::max(strsize, text.size()) + 1);
  append_raw_dump(out, std::as_bytes(std::span{slot}));
}

}  // namespace dscope
