#include "runtime/output/value_rows.h"

#include "runtime/aggregations/aggregation_form.h"

namespace dscope {

namespace {

std::string_view trimmed(std::string_view text) {
  size_t begin = text.find_first_not_of(" \t\n");
  if (begin == std::string_view::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\n") + 1 - begin);
}

// Returns "" for string constants, which are text, not values.
std::string column_name(const ActionPlan& plan, size_t field) {
  return field < plan.columns.size() ? plan.columns[field] : fmt::format("value{}", field + 1);
}

bool prints_one_value(const ActionPlan& plan) { return row(plan.action).value != ActionValue::NoValue; }

// The fields whose values the action prints, in order.
std::vector<int32_t> value_fields(const PreparedAction& action) {
  std::vector<int32_t> fields;
  if (action.plan->action == Action::Printf && action.format)
    for (int32_t field : action.format->value_fields())
      if (!column_name(*action.plan, static_cast<size_t>(field)).empty()) fields.push_back(field);
  bool has_value = prints_one_value(*action.plan) && !action.plan->fields.empty();
  if (has_value && !column_name(*action.plan, 0).empty()) fields.push_back(0);
  return fields;
}

// The texts of value_fields().
std::vector<std::string> value_texts(const PreparedAction& action, const std::byte* record,
                                     const ActionServices& services) {
  std::vector<std::string> texts;
  const ActionPlan& plan = *action.plan;
  if (plan.action == Action::Printf) {
    for (PreparedFormat::ValueText& value : action.format->value_texts(record, services.values))
      if (!column_name(plan, static_cast<size_t>(value.field)).empty()) texts.push_back(std::move(value.text));
  } else if (row(plan.action).value == ActionValue::Text) {
    std::string text;
    action.run(action.call(record), services, text);
    texts.emplace_back(trimmed(text));
  } else {
    texts.push_back(key_text(plan.fields.front(), record, services.values));
  }
  return texts;
}

// The texts of a printf() that prints nothing but string constants; empty for other actions.
std::vector<std::string> title_of(const PreparedAction& action, const std::byte* record,
                                  const ActionServices& services) {
  std::vector<std::string> texts;
  if (action.plan->action != Action::Printf || !action.format) return texts;
  for (PreparedFormat::ValueText& value : action.format->value_texts(record, services.values)) {
    if (!column_name(*action.plan, static_cast<size_t>(value.field)).empty()) return {};
    texts.push_back(std::move(value.text));
  }
  return texts;
}

// The number of cells of a CSV line.
size_t count_cells(std::string_view line) {
  bool is_quoted = false;
  size_t cells = 1;
  for (char c : line) {
    is_quoted ^= c == '"';
    cells += c == ',' && !is_quoted;
  }
  return cells;
}

}  // namespace

std::vector<std::string> ValueRows::titled(const std::vector<std::string>& names) const {
  return unique_names(title_.size() == names.size() ? title_ : names);
}

// A table of another kind: an empty line separates it from the last one.
void ValueRows::append_table(std::string& out, std::string table) {
  if (table.empty()) return;
  if (has_output_ && format_ == OutputFormat::Csv) out += '\n';
  size_t end = table.find('\n');
  if (format_ == OutputFormat::Csv && count_cells(std::string_view{table}.substr(0, end)) == title_.size()) {
    append_csv_line(out, unique_names(title_));
    table.erase(0, end + 1);
  }
  out += table;
  has_output_ = true;
  header_.clear();
}

void ValueRows::append_csv_row(std::string& out, const std::vector<Column>& columns) {
  std::vector<std::string> names, cells;
  for (const Column& column : columns) {
    names.push_back(column.name);
    cells.push_back(column.text);
  }
  names = titled(names);
  if (names != header_) {
    if (has_output_) out += '\n';
    append_csv_line(out, names);
    header_ = std::move(names);
    has_output_ = true;
  }
  append_csv_line(out, cells);
}

// Runs an action that prints no values.
void ValueRows::run_action(std::string& out, const PreparedClause& clause, const PreparedAction& action,
                           const std::byte* record, const ActionServices& services) {
  Action id = action.plan->action;
  std::vector<std::string> title = title_of(action, record, services);
  if (!title.empty()) title_ = std::move(title);
  bool is_text = id == Action::Printf || prints_one_value(*action.plan);
  if (is_text && !clause.plan->can_exit()) return;
  std::string text;
  if (id == Action::Freopen) services.flush_row(out);
  action.run(action.call(record), services, text);
  if (id == Action::Printa) return append_table(out, std::move(text));
  if (is_text) return services.messages.write(text);
  out += text;
  if (id != Action::Freopen) return;
  has_output_ = false;
  header_.clear();
}

void ValueRows::append(std::string& out, const PreparedClause& clause, const std::byte* record,
                       const ActionServices& services) {
  std::vector<Column> columns;
  std::vector<Field> fields;
  for (const PreparedAction& action : clause.actions) {
    std::vector<int32_t> printed = value_fields(action);
    bool has_run = action.has_run(record);
    if (printed.empty()) {
      if (has_run) run_action(out, clause, action, record, services);
      continue;
    }
    std::vector<std::string> texts(printed.size());
    if (has_run) texts = value_texts(action, record, services);
    for (size_t i = 0; i < printed.size(); ++i) {
      auto field = static_cast<size_t>(printed[i]);
      columns.push_back({column_name(*action.plan, field), std::move(texts[i])});
      if (has_run) fields.push_back(action.plan->fields[field]);
    }
  }
  if (columns.empty()) return;
  if (format_ == OutputFormat::Csv) return append_csv_row(out, columns);
  append_folded_keys(out, fields, record, services.values);
  out += " 1\n";
}

}  // namespace dscope
