#include "runtime/format/printf_formatter.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <ctime>

#include "runtime/format/append_text.h"
#include "runtime/format/value.h"

namespace dscope {

namespace {

const Field* field_at(const std::vector<Field>& fields, int32_t index) {
  return index >= 0 && static_cast<size_t>(index) < fields.size() ? &fields[static_cast<size_t>(index)] : nullptr;
}

void append_styled_text(std::string& out, std::string_view text, const ValuePrinter& values,
                        const ConversionStyle& style) {
  if (style.precision != 0) text = text.substr(0, style.precision);
  if (style.left) values.append_text_left(out, text, style.width);
  else values.append_text_right(out, text, style.width);
}

// Appends padding, sign or base prefix, precision zeroes and digits, in C's order.
void append_digits(std::string& out, std::string_view prefix, std::string_view digits, const ConversionStyle& style) {
  size_t zeroes = digits.size() < style.precision ? style.precision - digits.size() : 0;
  size_t length = prefix.size() + zeroes + digits.size();
  size_t padding = length < style.width ? style.width - length : 0;
  if (style.zero_pad && !style.left && style.precision == 0) {
    zeroes += padding;
    padding = 0;
  }
  if (!style.left) append_blanks(out, padding);
  out.append(prefix);
  out.append(zeroes, '0');
  out.append(digits);
  if (style.left) append_blanks(out, padding);
}

// Uses snprintf because grouping depends on the locale.
void append_grouped(std::string& out, uint64_t value, bool is_signed, const ConversionStyle& style) {
  std::string format = "%'";
  if (style.zero_pad) format += '0';
  if (style.left) format += '-';
  if (style.plus) format += '+';
  if (style.space) format += ' ';
  if (style.width != 0) append_unsigned(format, style.width);
  if (style.precision != 0) format += fmt::format(".{}", style.precision);
  format += is_signed ? "lld" : "llu";
  int length = std::snprintf(nullptr, 0, format.c_str(), static_cast<long long>(value));
  if (length <= 0) return;
  size_t start = out.size();
  out.resize(start + static_cast<size_t>(length) + 1);
  std::snprintf(out.data() + start, static_cast<size_t>(length) + 1, format.c_str(), static_cast<long long>(value));
  out.pop_back();
}

void append_base(std::string& out, char conversion, uint64_t value, const ConversionStyle& style) {
  bool is_octal = conversion == 'o';
  char digits[24] = "0";
  // `#` prefixes octal numbers with a zero, which counts toward the precision.
  char* begin = digits + (is_octal && style.alternate && value != 0 ? 1 : 0);
  char* end = std::to_chars(begin, digits + sizeof digits, value, is_octal ? 8 : 16).ptr;
  if (conversion == 'X')
    for (char* at = digits; at != end; ++at) *at = static_cast<char>(std::toupper(*at));
  std::string_view prefix;
  if (style.alternate && value != 0 && !is_octal) prefix = conversion == 'X' ? "0X" : "0x";
  append_digits(out, prefix, {digits, static_cast<size_t>(end - digits)}, style);
}

void append_float(std::string& out, char conversion, const Field& field, const std::byte* base,
                  const ConversionStyle& style) {
  long double value = 0;
  const std::byte* at = base + field.offset;
  if (field.size == 4) {
    float number;
    std::memcpy(&number, at, sizeof number);
    value = number;
  } else if (field.size == 8) {
    double number;
    std::memcpy(&number, at, sizeof number);
    value = number;
  } else if (field.size == sizeof value) std::memcpy(&value, at, sizeof value);
  std::string format = "%";
  if (style.alternate) format += '#';
  if (style.zero_pad) format += '0';
  if (style.left) format += '-';
  if (style.plus) format += '+';
  if (style.thousands) format += '\'';
  if (style.space) format += ' ';
  format += "*.*L";
  format += conversion;
  // In C a negative precision means none.
  int precision = style.precision == 0 ? -1 : static_cast<int>(style.precision);
  int length = std::snprintf(nullptr, 0, format.c_str(), static_cast<int>(style.width), precision, value);
  if (length <= 0) return;
  std::string text(static_cast<size_t>(length) + 1, '\0');
  std::snprintf(text.data(), text.size(), format.c_str(), static_cast<int>(style.width), precision, value);
  text.pop_back();
  out += text;
}

std::string wide_text(const Field& field, const std::byte* base) {
  std::string text;
  for (uint32_t at = 0; at + 4 <= field.size; at += 4) {
    auto code_point = static_cast<uint32_t>(load_unsigned(base + field.offset + at, 4));
    if (code_point == 0) break;
    append_utf8(text, code_point);
  }
  return text;
}

// %T and %Y: local time of nanoseconds since the epoch.
std::string time_text(int64_t nanoseconds, const char* format) {
  time_t seconds = nanoseconds / 1000000000;
  tm parts{};
  ::localtime_r(&seconds, &parts);
  char text[128];
  return {text, std::strftime(text, sizeof text, format, &parts)};
}

constexpr const char* rfc822_time = "%a, %d %b %G %T %Z";
constexpr const char* year_first_time = "%Y %b %e %T";

}  // namespace

void append_integer(std::string& out, char conversion, uint64_t value, bool is_signed, const ConversionStyle& style) {
  bool is_decimal = conversion == 'd' || conversion == 'i' || conversion == 'u';
  if (!is_decimal) return append_base(out, conversion == 'p' ? 'x' : conversion, value, style);
  is_signed = is_signed && conversion != 'u';
  if (style.thousands) return append_grouped(out, value, is_signed, style);
  bool is_negative = is_signed && static_cast<int64_t>(value) < 0;
  fmt::format_int digits(is_negative ? uint64_t{0} - value : value);
  std::string_view prefix = is_negative ? "-" : !is_signed ? "" : style.plus ? "+" : style.space ? " " : "";
  append_digits(out, prefix, {digits.data(), digits.size()}, style);
}

void append_number(std::string& out, char conversion, uint64_t value, bool is_signed, const ValuePrinter& values,
                   const ConversionStyle& style) {
  auto text = [&](std::string_view shown) { append_styled_text(out, shown, values, style); };
  switch (conversion) {
    case 'a': return text(values.kernel_address_text(value));
    case 'A': return text(values.target_address_text(value));
    case 'T': return text(time_text(static_cast<int64_t>(value), rfc822_time));
    case 'Y': return text(time_text(static_cast<int64_t>(value), year_first_time));
  }
  append_integer(out, conversion, value, is_signed, style);
}

PreparedFormat::PreparedFormat(const FormatPlan& format, const std::vector<Field>& fields) {
  size_t aggregation_values = 0;
  for (const FormatPiece& plan : format.pieces) {
    Piece piece{.plan = &plan,
                .literal = plan.literal,
                .field = field_at(fields, plan.field),
                .width = field_at(fields, plan.width_field),
                .precision = field_at(fields, plan.precision_field)};
    piece.conversion = conversion_of(plan, piece.field);
    bool has_flags = plan.alternate || plan.zero_pad || plan.left || plan.plus || plan.thousands || plan.space;
    piece.is_plain = !has_flags && plan.width == 0 && plan.precision == 0 && !piece.width && !piece.precision;
    if (plan.is_aggregation_value) piece.nth_aggregation = aggregation_values++;
    pieces_.push_back(piece);
  }
}

std::optional<TextSteps> PreparedFormat::steps(const ValuePrinter& values) const {
  TextSteps steps;
  for (const Piece& piece : pieces_) {
    steps.add_literal(piece.literal);
    if (piece.conversion == Conversion::None) continue;
    if (piece.conversion == Conversion::Percent) {
      steps.add_literal("%");
      continue;
    }
    const FormatPiece& plan = *piece.plan;
    std::optional<TextSteps::Value> value = step_value(piece);
    bool has_rare_flag = plan.alternate || plan.plus || plan.thousands || plan.space;
    if (!value || has_rare_flag || plan.precision != 0 || piece.width || piece.precision) return std::nullopt;
    bool is_text = *value == TextSteps::Value::Text || *value == TextSteps::Value::Character;
    steps.add_value(*value, *piece.field,
                    {.width = plan.width, .is_left = plan.left, .has_zeroes = plan.zero_pad && !is_text}, values);
  }
  return steps;
}

// Nothing for conversions that no step prints.
std::optional<TextSteps::Value> PreparedFormat::step_value(const Piece& piece) {
  switch (piece.conversion) {
    case Conversion::Signed: return TextSteps::Value::Signed;
    case Conversion::Text: return TextSteps::Value::Text;
    case Conversion::Character: return TextSteps::Value::Character;
    case Conversion::Unsigned:
      switch (piece.plan->conversion) {
        case 'd':
        case 'i':
        case 'u': return TextSteps::Value::Unsigned;
        case 'x':
        case 'p': return TextSteps::Value::Hexadecimal;
      }
      return std::nullopt;
    default: return std::nullopt;
  }
}

PreparedFormat::Conversion PreparedFormat::conversion_of(const FormatPiece& piece, const Field* field) {
  if (piece.conversion == 0) return Conversion::None;
  if (piece.conversion == '%') return Conversion::Percent;
  if (piece.is_aggregation_value) return Conversion::AggregationValue;
  if (!field) return Conversion::None;
  // Values that have one text form, whatever the conversion letter.
  switch (field->kind) {
    case FieldKind::KernelAddr:
    case FieldKind::UserAddr: return Conversion::Symbol;
    case FieldKind::Stack:
    case FieldKind::UserStack: return Conversion::Stack;
    case FieldKind::String:
    case FieldKind::ProbeName:
    case FieldKind::Container: return piece.conversion == 'S' ? Conversion::EscapedText : Conversion::Text;
    case FieldKind::Integer:
      if (piece.conversion == 's' || piece.conversion == 'S') return Conversion::Enumerator;
      break;
    case FieldKind::Bytes: break;
  }
  switch (piece.conversion) {
    case 'd':
    case 'i': return field->is_signed ? Conversion::Signed : Conversion::Unsigned;
    case 'u':
    case 'o':
    case 'x':
    case 'X':
    case 'p': return Conversion::Unsigned;
    case 'c': return piece.is_wide ? Conversion::WideCharacter : Conversion::Character;
    case 'C': return Conversion::EscapedCharacter;
    case 's': return piece.is_wide ? Conversion::WideText : Conversion::Text;
    case 'S': return Conversion::EscapedText;
    case 'e':
    case 'E':
    case 'f':
    case 'g':
    case 'G': return Conversion::Float;
    case 'a': return Conversion::KernelAddress;
    case 'A': return Conversion::TargetAddress;
    case 'T': return Conversion::Time;
    case 'Y': return Conversion::Date;
  }
  return Conversion::None;
}

ConversionStyle PreparedFormat::style_of(const Piece& piece, const std::byte* base) {
  const FormatPiece& plan = *piece.plan;
  ConversionStyle style{.width = plan.width,
                        .precision = plan.precision,
                        .alternate = plan.alternate,
                        .zero_pad = plan.zero_pad,
                        .left = plan.left,
                        .plus = plan.plus,
                        .space = plan.space,
                        .thousands = plan.thousands};
  if (piece.width) {
    // Both are int in C: a negative width means left-justified, a negative precision means none.
    auto width = static_cast<int32_t>(load_integer(*piece.width, base));
    if (width < 0) style.left = true;
    uint32_t magnitude = width < 0 ? uint32_t{0} - static_cast<uint32_t>(width) : static_cast<uint32_t>(width);
    style.width = std::min(magnitude, max_printed_width);
  }
  if (piece.precision) {
    auto precision = static_cast<int32_t>(load_integer(*piece.precision, base));
    style.precision = precision < 0 ? 0 : std::min(static_cast<uint32_t>(precision), max_printed_width);
  }
  return style;
}

void PreparedFormat::append(std::string& out, const std::byte* base, const ValuePrinter& values,
                            const AggregatedValues* aggregated) const {
  for (const Piece& piece : pieces_) {
    out += piece.literal;
    if (piece.conversion == Conversion::None) continue;
    if (piece.is_plain && append_plain(out, piece, base, values)) continue;
    ConversionStyle style = style_of(piece, base);
    if (piece.conversion != Conversion::AggregationValue) append_styled(out, piece, base, values, style);
    else if (aggregated) aggregated->append(out, piece.nth_aggregation, *piece.plan, style);
  }
}

std::vector<int32_t> PreparedFormat::value_fields() const {
  std::vector<int32_t> fields;
  for (const Piece& piece : pieces_)
    if (is_value(piece)) fields.push_back(piece.plan->field);
  return fields;
}

std::vector<PreparedFormat::ValueText> PreparedFormat::value_texts(const std::byte* base,
                                                                   const ValuePrinter& values) const {
  std::vector<ValueText> texts;
  for (const Piece& piece : pieces_) {
    if (!is_value(piece)) continue;
    ValueText& value = texts.emplace_back(piece.plan->field);
    ConversionStyle style = style_of(piece, base);
    if (piece.conversion == Conversion::Stack) value.text = values.folded_stack(field_in(*piece.field, base), base);
    else append_styled(value.text, piece, base, values, {.precision = style.precision, .alternate = style.alternate});
  }
  return texts;
}

// Fast path for the common conversions without flags or width; false for all others.
bool PreparedFormat::append_plain(std::string& out, const Piece& piece, const std::byte* base,
                                  const ValuePrinter& values) {
  if (piece.conversion == Conversion::Signed) {
    append_signed(out, load_integer(*piece.field, base));
    return true;
  }
  if (piece.conversion == Conversion::Text) {
    values.append_text(out, values.text(*piece.field, base));
    return true;
  }
  if (piece.conversion != Conversion::Unsigned) return false;
  uint64_t value = load_unsigned(base + piece.field->offset, piece.field->size);
  char conversion = piece.plan->conversion;
  if (conversion == 'd' || conversion == 'i' || conversion == 'u') append_unsigned(out, value);
  else if (conversion == 'x' || conversion == 'p') append_hex(out, value);
  else return false;
  return true;
}

void PreparedFormat::append_styled(std::string& out, const Piece& piece, const std::byte* base,
                                   const ValuePrinter& values, const ConversionStyle& style) {
  const Field* field = piece.field;
  uint64_t number = field ? load_unsigned(base + field->offset, field->size) : 0;
  auto text = [&](std::string_view value) { append_styled_text(out, value, values, style); };
  // A character is padded like a string but never truncated; it may be NUL.
  auto character = [&](std::string_view value) {
    append_styled_text(out, value, values, {.width = style.width, .left = style.left});
  };
  switch (piece.conversion) {
    case Conversion::None:
    case Conversion::AggregationValue: return;
    case Conversion::Percent: out += '%'; return;
    case Conversion::Signed:
      return append_integer(out, 'd', static_cast<uint64_t>(load_integer(*field, base)), true, style);
    case Conversion::Unsigned: return append_integer(out, piece.plan->conversion, number, false, style);
    case Conversion::Character: return character(std::string(1, static_cast<char>(number)));
    case Conversion::WideCharacter: {
      std::string encoded;
      append_utf8(encoded, static_cast<uint32_t>(number));
      return character(encoded);
    }
    case Conversion::EscapedCharacter:
    case Conversion::EscapedText: return append_escaped(out, piece, base, values, style);
    case Conversion::WideText: return text(wide_text(*field, base));
    case Conversion::Float: return append_float(out, piece.plan->conversion, *field, base, style);
    case Conversion::Text: return text(values.text(*field, base));
    case Conversion::Enumerator: return text(values.enumerator_text(*field, base));
    case Conversion::Symbol: return text(values.symbol_text(field_in(*field, base), base));
    case Conversion::KernelAddress:
    case Conversion::TargetAddress:
    case Conversion::Time:
    case Conversion::Date: return append_number(out, piece.plan->conversion, number, false, values, style);
    case Conversion::Stack:
      // With '-' the width is the indentation of the lines, else the width of the frames.
      return values.append_stack(out, field_in(*field, base), base,
                                 style.left ? FrameLayout{.indent = style.width} : FrameLayout{.width = style.width});
  }
}

void PreparedFormat::append_escaped(std::string& out, const Piece& piece, const std::byte* base,
                                    const ValuePrinter& values, const ConversionStyle& style) {
  const Field& field = *piece.field;
  std::string escaped;
  if (piece.conversion == Conversion::EscapedCharacter) {
    append_c_escaped(escaped, std::string(1, static_cast<char>(load_unsigned(base + field.offset, field.size))));
    return append_styled_text(out, escaped, values, {.width = style.width, .left = style.left});
  }
  std::string_view text = values.text(field, base);
  append_c_escaped(escaped, text);
  // %S also prints the terminating NUL of the recorded string.
  if (is_numbered_text(field.kind) || text.size() < field.size) escaped += "\\0";
  append_styled_text(out, escaped, values, style);
}

}  // namespace dscope
