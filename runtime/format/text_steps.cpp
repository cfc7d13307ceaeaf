#include "runtime/format/text_steps.h"

#include <algorithm>

#include "runtime/format/value.h"
#include "runtime/format/write_number.h"

namespace dscope {

namespace {

char* write_padding(char* out, size_t count, char filler) {
  std::memset(out, filler, count);
  return out + count;
}

char* write_text(char* out, std::string_view text, const TextSteps::Padding& padding) {
  size_t blanks = text.size() < padding.width ? padding.width - text.size() : 0;
  if (!padding.is_left) out = write_padding(out, blanks, ' ');
  // Empty text may have no address.
  if (!text.empty()) std::memcpy(out, text.data(), text.size());
  out += text.size();
  return padding.is_left ? write_padding(out, blanks, ' ') : out;
}

inline char* write_number(char* out, uint64_t value, bool is_negative, bool is_hexadecimal,
                          const TextSteps::Padding& padding) {
  if (padding.width == 0 && !is_hexadecimal) {
    if (is_negative) *out++ = '-';
    return write_decimal(out, value);
  }
  size_t digits = is_hexadecimal ? count_hex_digits(value) : count_digits(value);
  size_t length = digits + (is_negative ? 1 : 0);
  size_t fill = length < padding.width ? padding.width - length : 0;
  bool fills_with_zeroes = padding.has_zeroes && !padding.is_left;
  if (!padding.is_left && !fills_with_zeroes) out = write_padding(out, fill, ' ');
  if (is_negative) *out++ = '-';
  if (fills_with_zeroes) out = write_padding(out, fill, '0');
  out = is_hexadecimal ? write_hex(out, value, digits) : write_decimal(out, value, digits);
  return padding.is_left ? write_padding(out, fill, ' ') : out;
}

}  // namespace

void TextSteps::add_literal(std::string_view text) {
  while (!text.empty()) {
    if (steps_.empty() || steps_.back().value != Value::None || steps_.back().literal_size == literal_block)
      steps_.emplace_back();
    Step& step = steps_.back();
    size_t taken = std::min(text.size(), literal_block - step.literal_size);
    text.copy(step.literal.data() + step.literal_size, taken);
    step.literal_size = static_cast<uint8_t>(step.literal_size + taken);
    text.remove_prefix(taken);
    max_size_ += taken;
  }
}

void TextSteps::add_value(Value value, const Field& field, Padding padding, const ValuePrinter& values) {
  if (steps_.empty() || steps_.back().value != Value::None) steps_.emplace_back();
  Step& step = steps_.back();
  step.value = value;
  step.padding = padding;
  step.field = &field;
  step.offset = field.offset;
  step.size = field.size;
  max_size_ += std::max<size_t>(value == Value::Text ? values.max_text_size(field) : max_digits, padding.width);
  has_traced_text_ |= value == Value::Text || value == Value::Character;
}

inline char* TextSteps::write_value(char* out, const Step& step, const std::byte* record, const ValuePrinter& values) {
  const std::byte* at = record + step.offset;
  switch (step.value) {
    case Value::None: break;
    case Value::Signed: {
      int64_t value = load_signed(at, step.size);
      uint64_t magnitude = value < 0 ? uint64_t{0} - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
      return write_number(out, magnitude, value < 0, /*is_hexadecimal=*/false, step.padding);
    }
    case Value::Unsigned:
      return write_number(out, load_unsigned(at, step.size), /*is_negative=*/false, /*is_hexadecimal=*/false,
                          step.padding);
    case Value::Hexadecimal:
      return write_number(out, load_unsigned(at, step.size), /*is_negative=*/false, /*is_hexadecimal=*/true,
                          step.padding);
    case Value::Character: {
      char character = static_cast<char>(load_unsigned(at, step.size));
      return write_text(out, {&character, 1}, step.padding);
    }
    case Value::Text: return write_text(out, values.text(*step.field, record), step.padding);
  }
  return out;
}

char* TextSteps::write(char* out, const std::byte* record, const ValuePrinter& values) const {
  for (const Step& step : steps_) {
    // The copy of a fixed size needs no call. Its bytes after the literal are overwritten or cut off.
    std::memcpy(out, step.literal.data(), literal_block);
    out = write_value(out + step.literal_size, step, record, values);
  }
  return out;
}

}  // namespace dscope
