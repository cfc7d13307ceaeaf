#include "runtime/aggregations/aggregation_key.h"

#include <algorithm>
#include <optional>

#include "runtime/format/append_text.h"
#include "runtime/format/output_format.h"
#include "runtime/format/raw_dump.h"
#include "runtime/format/value.h"

namespace dscope {

namespace {

void append_big_endian(std::string& out, uint64_t value) {
  for (int shift = 56; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift);
}

// Addresses that print by different rules are different keys, even within one aggregation.
void append_kind(std::string& out, const Field& field) {
  bool is_symbol = field.kind == FieldKind::KernelAddr || field.kind == FieldKind::UserAddr;
  bool is_stack = field.kind == FieldKind::Stack || field.kind == FieldKind::UserStack;
  if (is_stack || is_symbol) out += static_cast<char>(field.kind);
  if (is_symbol) out += static_cast<char>(printed_as(field.symbol));
}

// Option aggmerge: the text of a symbol or stack. Folded stacks and CSV print no offsets.
void append_printed(std::string& out, const Field& field, const std::byte* key, const ValuePrinter& values) {
  OutputFormat format = output_format(values.options());
  bool has_offset = format != OutputFormat::Folded && format != OutputFormat::Csv;
  bool is_stack = field.kind == FieldKind::Stack || field.kind == FieldKind::UserStack;
  if (!is_stack) out += values.symbol_text(field, key);
  else
    for (const std::string& frame : values.frame_texts(field, key, has_offset)) out += frame + '\n';
  out += '\0';
}

bool is_symbolic(const Field& field) {
  switch (field.kind) {
    case FieldKind::KernelAddr:
    case FieldKind::UserAddr:
    case FieldKind::Stack:
    case FieldKind::UserStack: return true;
    case FieldKind::Integer:
    case FieldKind::String:
    case FieldKind::ProbeName:
    case FieldKind::Container:
    case FieldKind::Bytes: return false;
  }
  return false;
}

void append_identity(std::string& out, const Field& any, const std::byte* key, const ValuePrinter& values) {
  const Field& field = field_in(any, key);
  append_kind(out, field);
  if (is_symbolic(field) && values.options().is_on(OptionId::Aggmerge)) return append_printed(out, field, key, values);
  switch (field.kind) {
    case FieldKind::Integer:
      // Integers compare as unsigned numbers of their size, so -1 sorts after 2; sign extension keeps that order.
      append_big_endian(out, static_cast<uint64_t>(load_integer(field, key)));
      return;
    case FieldKind::String:
    case FieldKind::ProbeName:
    case FieldKind::Container:
      out += values.text(field, key);
      out += '\0';
      return;
    case FieldKind::UserAddr:
      append_big_endian(out, load_word(key + field.offset));
      append_big_endian(out, values.canonical_address(field, key));
      return;
    case FieldKind::KernelAddr: append_big_endian(out, values.canonical_address(field, key)); return;
    case FieldKind::Stack:
    case FieldKind::UserStack: {
      // The process. The high half of the word is the number of a copy, or 0.
      if (field.kind == FieldKind::UserStack) append_big_endian(out, load_unsigned(key + field.offset, 4));
      for (uint64_t pc : values.frames(field, key)) out.append(reinterpret_cast<const char*>(&pc), sizeof pc);
      append_big_endian(out, 0);
      return;
    }
    case FieldKind::Bytes: {
      auto bytes = field_bytes(field, key);
      out.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      return;
    }
  }
}

// The width of a key column; nullopt: the default width of its type.
using Width = std::optional<size_t>;

constexpr size_t text_separator = 2, integer_separator = 1;  // blanks in front of a column
constexpr size_t min_narrowed_width = 16;

bool is_inside_character(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

// "/usr/lib/x86..nu/libc.so.6": at most `width` bytes, cut between UTF-8 characters.
std::string shortened(std::string_view text, size_t width) {
  constexpr std::string_view mark = "..";
  size_t head = (width - mark.size()) / 2, tail = text.size() - (width - mark.size() - head);
  while (head > 0 && is_inside_character(text[head])) --head;
  while (tail < text.size() && is_inside_character(text[tail])) ++tail;
  return fmt::format("{}{}{}", text.substr(0, head), mark, text.substr(tail));
}

void append_text_key(std::string& out, std::string_view text, const ValuePrinter& values, Width width) {
  append_blanks(out, text_separator);
  size_t start = out.size();
  values.append_text_left(out, text, width.value_or(50));
  // Only narrow_widths() makes a column narrower than its texts.
  if (!width || *width < min_narrowed_width || out.size() - start <= *width) return;
  std::string visible = out.substr(start);
  out.resize(start);
  append_left(out, shortened(visible, *width), *width);
}

// True if append_text_key() prints the keys of the column.
bool is_text_column(const Field& field, const ValuePrinter& values) {
  switch (field.kind) {
    case FieldKind::String:
    case FieldKind::ProbeName:
    case FieldKind::Container: return !values.options().is_on(OptionId::Rawbytes);
    case FieldKind::KernelAddr:
    case FieldKind::UserAddr: return true;
    case FieldKind::Bytes: return field.is_char_array && !values.options().is_on(OptionId::Rawbytes);
    case FieldKind::Integer:
    case FieldKind::Stack:
    case FieldKind::UserStack: return false;
  }
  return false;
}

void append_integer_key(std::string& out, const Field& field, const std::byte* key, Width width) {
  const std::byte* at = key + field.offset;
  out += ' ';
  switch (field.size) {
    case 8: return append_signed(out, load_signed(at, 8), width.value_or(16));
    case 4: return append_signed(out, load_signed(at, 4), width.value_or(8));
    case 2: return append_unsigned(out, load_unsigned(at, 2), width.value_or(5));
    case 1: return append_unsigned(out, load_unsigned(at, 1), width.value_or(3));
  }
}

void append_bytes_key(std::string& out, const Field& field, const std::byte* key, const ValuePrinter& values,
                      Width width) {
  bool is_scalar_size = field.size == 1 || field.size == 2 || field.size == 4 || field.size == 8;
  if (is_scalar_size && !field.is_char_array) return append_integer_key(out, field, key, width);
  auto bytes = field_bytes(field, key);
  if (looks_like_text(bytes) && !values.options().is_on(OptionId::Rawbytes))
    return append_text_key(out, text_of(bytes), values, width);
  append_raw_dump(out, bytes);
}

void append_key(std::string& out, const Field& any, const std::byte* key, const ValuePrinter& values,
                Width width = {}) {
  const Field& field = field_in(any, key);
  switch (field.kind) {
    case FieldKind::Integer: return append_integer_key(out, field, key, width);
    case FieldKind::String:
    case FieldKind::ProbeName:
    case FieldKind::Container:
      if (values.options().is_on(OptionId::Rawbytes))
        return append_raw_string(out, values.text(field, key), values.options());
      return append_text_key(out, values.text(field, key), values, width);
    case FieldKind::Bytes: return append_bytes_key(out, field, key, values, width);
    case FieldKind::KernelAddr:
    case FieldKind::UserAddr: return append_text_key(out, values.symbol_text(field, key), values, width);
    case FieldKind::Stack:
    case FieldKind::UserStack: {
      int64_t indent = values.options().number(OptionId::Stackindent);
      return values.append_stack(out, field, key, {.indent = static_cast<size_t>(std::max<int64_t>(indent, 0))});
    }
  }
}

}  // namespace

std::string key_identity(const AggregationPlan& plan, const std::byte* key, const ValuePrinter& values,
                         size_t first_key) {
  std::string identity;
  size_t count = plan.keys.size();
  if (first_key >= count) first_key = 0;
  for (size_t i = 0; i < count; ++i) append_identity(identity, plan.keys[(first_key + i) % count], key, values);
  return identity;
}

void append_keys(std::string& out, const AggregationPlan& plan, const std::byte* key, const ValuePrinter& values,
                 const KeyWidths& widths) {
  for (size_t i = 0; i < plan.keys.size(); ++i)
    append_key(out, plan.keys[i], key, values, i < widths.size() ? Width{widths[i]} : std::nullopt);
}

bool fit_widths(KeyWidths& widths, const AggregationPlan& plan, const std::byte* key, const ValuePrinter& values) {
  widths.resize(std::max(widths.size(), plan.keys.size()));
  for (size_t i = 0; i < plan.keys.size(); ++i) {
    std::string text;
    append_key(text, plan.keys[i], key, values, 0);
    if (text.find('\n') != std::string::npos) return false;
    // A text may start with blanks of its own.
    widths[i] = std::max(widths[i], text.size() - std::min({text.find_first_not_of(' '), text.size(), text_separator}));
  }
  return true;
}

size_t key_columns(const KeyWidths& widths, const AggregationPlan& plan, const ValuePrinter& values) {
  size_t total = 0;
  for (size_t i = 0; i < widths.size(); ++i)
    total += widths[i] + (is_text_column(plan.keys[i], values) ? text_separator : integer_separator);
  return total;
}

void narrow_widths(KeyWidths& widths, const AggregationPlan& plan, const ValuePrinter& values, size_t available) {
  std::vector<size_t*> text_widths;
  for (size_t i = 0; i < widths.size(); ++i)
    if (is_text_column(plan.keys[i], values)) text_widths.push_back(&widths[i]);
  if (text_widths.empty()) return;
  for (size_t total = key_columns(widths, plan, values); total > available; --total) {
    size_t* widest = *std::ranges::max_element(text_widths, {}, [](const size_t* width) { return *width; });
    if (*widest <= min_narrowed_width) return;
    --*widest;
  }
}

}  // namespace dscope
