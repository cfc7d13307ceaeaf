#include "runtime/aggregations/aggregation_form.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "runtime/format/append_text.h"
#include "runtime/format/value.h"
#include "support/text/format_join.h"

namespace dscope {

namespace {

std::string hex_text(std::span<const std::byte> bytes) {
  std::string text = "0x";
  for (std::byte byte : bytes) text += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
  return text;
}

std::string integer_text(const Field& field, const std::byte* base) {
  int64_t value = load_integer(field, base);
  return field.is_signed ? fmt::format("{}", value) : fmt::format("{}", static_cast<uint64_t>(value));
}

std::string value_text(const AggregationLine::Value& value) {
  std::string text;
  bool is_unsigned = rendering(value.plan->function).is_unsigned;
  for (int64_t number : column_values(*value.plan, value.words, value.normal)) {
    if (!text.empty()) text += ',';
    text += is_unsigned ? fmt::format("{}", static_cast<uint64_t>(number)) : fmt::format("{}", number);
  }
  return text;
}

// The names of a value's columns: "{prefix}p50", or `alone` for a value with one column.
std::vector<std::string> column_names(const AggregationPlan& plan, std::string_view prefix, std::string alone) {
  std::vector<std::string> names;
  for (PercentileNumber each : plan.percentiles) names.push_back(fmt::format("{}p{}", prefix, percentile_text(each)));
  if (names.empty()) names.push_back(std::move(alone));
  return names;
}

// The key before control characters are made visible.
std::string traced_key_text(const Field& any, const std::byte* key, const ValuePrinter& values) {
  const Field& field = field_in(any, key);
  switch (field.kind) {
    case FieldKind::Integer: return integer_text(field, key);
    case FieldKind::String:
    case FieldKind::ProbeName:
    case FieldKind::Container: return std::string{values.text(field, key)};
    case FieldKind::KernelAddr:
    case FieldKind::UserAddr: return values.symbol_text(field, key);
    case FieldKind::Stack:
    case FieldKind::UserStack: return values.folded_stack(field, key);
    case FieldKind::Bytes: break;
  }
  if (field.is_char_array) return std::string{text_of(field_bytes(field, key))};
  return hex_text(field_bytes(field, key));
}

std::string csv_keys(const AggregationLine& row, const ValuePrinter& values) {
  std::string cells;
  for (const Field& field : row.key_plan->keys) {
    append_csv_cell(cells, key_text(field, row.key, values));
    cells += ',';
  }
  return cells;
}

bool is_distribution_row(const AggregationLine& row) {
  return std::any_of(row.values.begin(), row.values.end(),
                     [](const AggregationLine::Value& value) { return is_distribution(value.plan->function); });
}

size_t column_count(const AggregationPlan& plan) { return std::max<size_t>(1, plan.percentiles.size()); }

// Each bucket of each distribution is one line, on which the cells of the other aggregations are empty.
void append_csv_buckets(std::string& out, const AggregationLine& row, std::string_view keys) {
  size_t after = 0, before = 1;  // empty cells
  for (const AggregationLine::Value& value : row.values) after += column_count(*value.plan);
  auto append_line = [&](std::string_view label, std::string_view cells) {
    out += keys;
    append_csv_cell(out, label);
    out.append(before, ',');
    out += cells;
    out.append(after, ',');
    out += '\n';
  };
  for (const AggregationLine::Value& value : row.values) {
    after -= column_count(*value.plan);
    if (!is_distribution(value.plan->function)) append_line("", value_text(value));
    for (const DistributionLine& line : distribution_lines(*value.plan, value.words))
      append_line(line.label, fmt::format("{}", normalized(line.count, value.normal)));
    before += column_count(*value.plan);
  }
}

int64_t folded_value(const AggregationLine::Value& value) {
  if (rendering(value.plan->function).scalar != nullptr) return scalar_value(*value.plan, value.words, value.normal);
  return normalized(total_count(value.words), is_distribution(value.plan->function) ? value.normal : 1);
}

// Replaces the separators `;` and newline within a key, so that tools do not split it.
std::string folded_text(const Field& field, const std::byte* base, const ValuePrinter& values) {
  std::string traced = traced_key_text(field, base, values), text;
  for (char& c : traced)
    if (c == '\n' || c == '\r' || (c == ';' && !is_stack(field))) c = '_';
  values.append_text(text, traced);
  return text;
}

enum class FoldedLevel : uint8_t { Text, User, Kernel };

FoldedLevel folded_level(const Field& field) {
  if (field.kind == FieldKind::UserStack || field.kind == FieldKind::UserAddr) return FoldedLevel::User;
  if (field.kind == FieldKind::Stack || field.kind == FieldKind::KernelAddr) return FoldedLevel::Kernel;
  return FoldedLevel::Text;
}

// The text for a thread whose stacks are all empty. A thread without a kernel stack was in user code, and vice versa.
std::string empty_stack_text(std::span<const Field* const> fields, const std::byte* base) {
  bool has_kernel_stack = false, has_user_stack = false, is_idle = false;
  for (const Field* field : fields) {
    has_kernel_stack |= field->kind == FieldKind::Stack;
    has_user_stack |= field->kind == FieldKind::UserStack;
    if (field->kind == FieldKind::UserStack) is_idle |= load_unsigned(base + field->offset, 8) == 0;
  }
  if (is_idle) return "[idle]";
  if (has_kernel_stack) return "[user]";
  return has_user_stack ? "[kernel]" : "";
}

constexpr size_t text_key_width = 52;  // as append_keys() prints them

size_t bar_key_width(const Field& field) {
  if (field.kind != FieldKind::Integer) return 16;
  switch (field.size) {
    case 1: return 3;
    case 2: return 5;
    case 4: return 8;
  }
  return 16;
}

}  // namespace

bool is_stack(const Field& field) { return field.kind == FieldKind::Stack || field.kind == FieldKind::UserStack; }

bool is_folded(const AggregationPlan& plan) {
  // The variants of a key are stacks and symbols.
  return std::ranges::any_of(
      plan.keys, [](const Field& key) { return !key.variants.empty() || folded_level(key) != FoldedLevel::Text; });
}

std::string key_text(const Field& field, const std::byte* key, const ValuePrinter& values) {
  std::string text;
  values.append_text(text, traced_key_text(field, key, values));
  return text;
}

void append_csv_cell(std::string& out, std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += text;
    return;
  }
  out += '"';
  for (char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

void append_csv_line(std::string& out, const std::vector<std::string>& cells) {
  for (size_t i = 0; i < cells.size(); ++i) {
    if (i != 0) out += ',';
    append_csv_cell(out, cells[i]);
  }
  // An empty line would read as no record.
  if (cells.size() == 1 && cells.front().empty()) out += "\"\"";
  out += '\n';
}

std::vector<std::string> unique_names(std::vector<std::string> names) {
  std::set<std::string> used;
  for (std::string& name : names) {
    std::string base = name;
    for (int i = 2; !used.insert(name).second; ++i) name = fmt::format("{}{}", base, i);
  }
  return names;
}

std::vector<std::string> csv_column_names(std::span<const AggregationPlan* const> plans) {
  std::vector<std::string> names;
  const std::vector<std::string>& columns = plans.front()->columns;
  for (size_t i = 0; i < plans.front()->keys.size(); ++i)
    names.push_back(i < columns.size() && !columns[i].empty() ? columns[i] : fmt::format("key{}", i + 1));
  if (std::any_of(plans.begin(), plans.end(), [](auto* plan) { return is_distribution(plan->function); }))
    names.emplace_back("bucket");
  for (const AggregationPlan* plan : plans)
    for (std::string& name : column_names(*plan, fmt::format("@{}.", plan->name), "@" + plan->name))
      names.push_back(std::move(name));
  return unique_names(std::move(names));
}

void append_csv_header(std::string& out, std::span<const AggregationPlan* const> plans) {
  append_csv_line(out, csv_column_names(plans));
}

void append_csv_row(std::string& out, const AggregationLine& row, const ValuePrinter& values) {
  std::string keys = csv_keys(row, values);
  if (is_distribution_row(row)) return append_csv_buckets(out, row, keys);
  out += keys;
  for (size_t i = 0; i < row.values.size(); ++i) {
    if (i != 0) out += ',';
    out += value_text(row.values[i]);
  }
  out += '\n';
}

void append_folded_row(std::string& out, const AggregationLine& row, const ValuePrinter& values) {
  int64_t number = folded_value(row.values.front());
  if (number == 0 || row.key_plan->keys.empty()) return;
  append_folded_keys(out, row.key_plan->keys, row.key, values);
  out += ' ';
  append_signed(out, number);
  out += '\n';
}

// User code calls the kernel, so its frames precede those of the kernel. Text keys behind all stacks stay behind the
// frames, other text keys come first.
void append_folded_keys(std::string& out, std::span<const Field> keys, const std::byte* base,
                        const ValuePrinter& values) {
  std::vector<const Field*> fields;
  for (const Field& key : keys) fields.push_back(&field_in(key, base));
  size_t frames_end = fields.size();
  while (frames_end > 0 && folded_level(*fields[frames_end - 1]) == FoldedLevel::Text) --frames_end;
  std::vector<std::string> parts;
  bool has_frames = false;
  auto add = [&](size_t begin, size_t end, FoldedLevel level) {
    for (size_t i = begin; i < end; ++i) {
      if (folded_level(*fields[i]) != level) continue;
      std::string text = folded_text(*fields[i], base, values);
      has_frames |= is_stack(*fields[i]) && !text.empty();
      if (!text.empty()) parts.push_back(std::move(text));
    }
  };
  add(0, frames_end, FoldedLevel::Text);
  add(0, frames_end, FoldedLevel::User);
  add(0, frames_end, FoldedLevel::Kernel);
  if (std::string marker = has_frames ? "" : empty_stack_text(fields, base); !marker.empty()) parts.push_back(marker);
  add(frames_end, fields.size(), FoldedLevel::Text);
  out += fmt::format("{}", fmt::join(parts, ";"));
}

bool has_column_header(std::span<const AggregationPlan* const> plans) {
  return std::ranges::any_of(plans, [](const AggregationPlan* plan) { return !plan->percentiles.empty(); }) &&
         std::ranges::none_of(plans, [](const AggregationPlan* plan) { return is_distribution(plan->function); });
}

void append_column_header(std::string& out, std::span<const AggregationPlan* const> plans) {
  size_t width = 0;
  for (const Field& field : plans.front()->keys) {
    bool is_text = field.kind != FieldKind::Integer;
    // Values are in a line of their own behind a stack.
    width = is_stack(field) ? 0 : width + (is_text ? text_key_width : bar_key_width(field) + 1);
  }
  append_blanks(out, width);
  for (const AggregationPlan* plan : plans)
    for (const std::string& name : column_names(*plan, "", "@" + plan->name)) {
      out += ' ';
      append_right(out, name, 16);
    }
  out += '\n';
}

std::string column_titles(const AggregationPlan& plan) {
  std::string titles;
  for (const std::string& name : column_names(plan, "", "@" + plan.name)) {
    titles += ' ';
    append_right(titles, name, 16);
  }
  return titles.erase(0, titles.find_first_not_of(' '));
}

bool has_bar_form(const AggregationPlan& plan) {
  bool has_stack = std::any_of(plan.keys.begin(), plan.keys.end(), is_stack);
  return rendering(plan.function).has_bar && !plan.keys.empty() && !has_stack;
}

void append_bar_header(std::string& out, const AggregationPlan& plan) {
  size_t width = 0;
  for (const Field& field : plan.keys) width += bar_key_width(field) + 1;
  out += '\n';
  append_right(out, "key", width);
  out += "  ------------- Distribution ------------- count    \n";
}

void append_bar_row(std::string& out, const AggregationLine& row, long double total, const ValuePrinter& values) {
  for (const Field& field : row.key_plan->keys) {
    out += ' ';
    values.append_text_right(out, key_text(field, row.key, values), bar_key_width(field));
  }
  const AggregationLine::Value& value = row.values.front();
  long double count = std::fabs(static_cast<long double>(scalar_value(*value.plan, value.words, 1)));
  out += ' ';
  append_share_bar(out, total == 0 ? 0 : count / total);
  out += ' ';
  append_left(out, value_text(value), 9);
  out += '\n';
}

}  // namespace dscope
