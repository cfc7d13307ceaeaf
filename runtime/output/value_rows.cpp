#include "runtime/output/value_rows.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "runtime/aggregations/aggregation_form.h"
#include "support/text/visible_text.h"

namespace dscope {

namespace {

std::string_view trimmed(std::string_view text) {
  size_t begin = text.find_first_not_of(" \t\n");
  if (begin == std::string_view::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\n") + 1 - begin);
}

// Returns "" for string constants, which are text, not values.
std::string column_name(const ActionPlan& action, int32_t field) {
  auto index = static_cast<size_t>(field);
  return index < action.columns.size() ? action.columns[index] : "value";
}

bool prints_one_value(const ActionPlan& action) { return row(action.action).value != ActionValue::NoValue; }

// The fields whose values the action prints, in order.
std::vector<int32_t> value_fields(const ProgramPlan& plan, const ActionPlan& action) {
  if (action.action == Action::Printf && action.format >= 0)
    return PreparedFormat{plan.formats[static_cast<size_t>(action.format)], action.fields}.value_fields();
  if (prints_one_value(action) && !action.fields.empty()) return {0};
  return {};
}

// The texts of value_fields().
std::vector<std::string> value_texts(const PreparedAction& action, const std::byte* record,
                                     const ActionServices& services) {
  const ActionPlan& plan = *action.plan;
  if (plan.action == Action::Printf) {
    std::vector<std::string> texts;
    for (PreparedFormat::ValueText& value : action.format->value_texts(record, services.values))
      texts.push_back(std::move(value.text));
    return texts;
  }
  if (row(plan.action).value != ActionValue::Text) return {key_text(plan.fields.front(), record, services.values)};
  std::string text;
  action.run(action.call(record), services, text);
  return {std::string{trimmed(text)}};
}

// True for a printf() that prints only string constants, where programs print titles: at the start, at the end, or
// before aggregations.
bool may_be_title(const ClausePlan& clause, const ActionPlan& action, const std::vector<int32_t>& fields) {
  if (action.action != Action::Printf || fields.empty()) return false;
  bool is_constant = std::ranges::all_of(fields, [&](int32_t field) { return column_name(action, field).empty(); });
  bool prints_aggregations =
      std::ranges::any_of(clause.actions, [](const ActionPlan& each) { return each.action == Action::Printa; });
  bool is_at_either_end = clause.description.ends_with(":BEGIN") || clause.description.ends_with(":END");
  return is_constant && (prints_aggregations || is_at_either_end);
}

bool ends_line(const ProgramPlan& plan, const ActionPlan& action) {
  if (action.action != Action::Printf || action.format < 0) return true;
  const std::vector<FormatPiece>& pieces = plan.formats[static_cast<size_t>(action.format)].pieces;
  return !pieces.empty() && pieces.back().conversion == 0 && pieces.back().literal.ends_with('\n');
}

size_t column_count(const ProgramPlan& plan, const std::vector<uint32_t>& aggregations) {
  std::vector<const AggregationPlan*> plans;
  for (uint32_t id : aggregations)
    if (id < plan.aggregations.size()) plans.push_back(&plan.aggregations[id]);
  return plans.empty() ? 0 : csv_column_names(plans).size();
}

std::string probe_text(const ProbePlan& probe) {
  return visible_line(fmt::format("{}:{}:{}:{}", probe.provider, probe.module, probe.function, probe.name));
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

ValueRows::ValueRows(const ProgramPlan& plan, OutputFormat format) : plan_(plan), format_(format) {
  if (format != OutputFormat::Csv && format != OutputFormat::Folded) return;
  for (const ClausePlan& clause : plan.clauses) {
    ClauseCells& cells = clauses_.emplace_back();
    for (const ActionPlan& action : clause.actions) {
      cells.actions.push_back({.fields = value_fields(plan, action)});
      for (int32_t field : cells.actions.back().fields)
        cells.has_stack |= is_stack(action.fields[static_cast<size_t>(field)]);
    }
  }
  if (format == OutputFormat::Csv) find_titles();
  for (ClauseCells& cells : clauses_)
    for (const ActionCells& action : cells.actions) cells.count += action.is_title ? 0 : action.fields.size();
}

// A title has as many columns as some other table of the program, or as some printf(), which it names in part of a row.
// With zdefs, the clause that prints these rows may match no probe.
void ValueRows::find_titles() {
  std::set<size_t> widths;
  std::vector<std::pair<ActionCells*, size_t>> candidates;
  for (size_t i = 0; i < clauses_.size(); ++i) {
    const ClausePlan& clause = plan_.clauses[i];
    size_t row_width = 0;
    for (size_t nth = 0; nth < clause.actions.size(); ++nth) {
      const ActionPlan& action = clause.actions[nth];
      ActionCells& cells = clauses_[i].actions[nth];
      cells.continues_line = nth > 0 && !ends_line(plan_, clause.actions[nth - 1]);
      if (action.action == Action::Printa) widths.insert(column_count(plan_, action.aggregations));
      if (may_be_title(clause, action, cells.fields)) {
        candidates.emplace_back(&cells, cells.fields.size());
      } else {
        widths.insert(cells.fields.size());
        row_width += cells.fields.size();
      }
    }
    widths.insert(row_width);
  }
  for (uint32_t id = 0; id < plan_.aggregations.size(); ++id) widths.insert(column_count(plan_, {id}));
  bool may_lack_rows = plan_.options.is_on(OptionId::Zdefs);
  for (auto [cells, width] : candidates) cells->is_title = widths.contains(width) || (may_lack_rows && width > 1);
}

// The names of the cells of a clause: those of the last title if it has as many columns as the row or as a printf().
std::vector<std::string> ValueRows::cell_names(const ClausePlan& clause, const ClauseCells& cells) const {
  if (title_.size() == cells.count) return unique_names(title_);
  std::vector<std::string> names;
  for (size_t nth = 0; nth < clause.actions.size(); ++nth) {
    const ActionCells& action = cells.actions[nth];
    if (action.is_title) continue;
    bool is_titled = clause.actions[nth].action == Action::Printf && action.fields.size() == title_.size();
    for (size_t i = 0; i < action.fields.size(); ++i) {
      std::string name = is_titled ? title_[i] : column_name(clause.actions[nth], action.fields[i]);
      names.push_back(name.empty() ? "value" : std::move(name));
    }
  }
  return unique_names(std::move(names));
}

// One table has the columns of all clauses; columns of the same name are one.
void ValueRows::lay_out_table() {
  std::vector<std::vector<std::string>> names;
  for (size_t i = 0; i < clauses_.size(); ++i)
    names.push_back(clauses_[i].count == 0 ? std::vector<std::string>{} : cell_names(plan_.clauses[i], clauses_[i]));
  std::vector<std::string> all;
  names_probes_ = false;
  for (const std::vector<std::string>& each : names) {
    if (each.empty()) continue;
    names_probes_ |= !all.empty() && each != all;
    for (const std::string& name : each)
      if (std::ranges::find(all, name) == all.end()) all.push_back(name);
  }
  size_t first = names_probes_ ? 1 : 0;
  for (size_t i = 0; i < clauses_.size(); ++i) {
    clauses_[i].columns.clear();
    for (const std::string& name : names[i])
      clauses_[i].columns.push_back(first + static_cast<size_t>(std::ranges::find(all, name) - all.begin()));
  }
  if (names_probes_) all.insert(all.begin(), "probe");
  header_ = unique_names(std::move(all));
}

std::string ValueRows::header_of_empty_table() {
  bool had_rows = !header_.empty();  // perhaps in another file, by freopen()
  if (format_ != OutputFormat::Csv || had_rows) return "";
  lay_out_table();
  std::vector<std::string> header = header_.empty() ? unique_names(title_) : header_;
  std::string line;
  if (!header.empty()) append_csv_line(line, header);
  return line;
}

// The table of an aggregation: an empty line separates it from the last table.
void ValueRows::append_table(std::string& out, std::string table) {
  if (table.empty()) return;
  if (has_output_) out += '\n';
  size_t end = table.find('\n');
  if (count_cells(std::string_view{table}.substr(0, end)) == title_.size()) {
    append_csv_line(out, unique_names(title_));
    table.erase(0, end + 1);
  }
  out += table;
  has_output_ = true;
  is_in_table_ = false;
}

void ValueRows::append_csv_row(std::string& out, const PreparedClause& clause, const ds_record_header& header,
                               std::vector<std::string> texts) {
  if (!is_in_table_) {
    if (has_output_) out += '\n';
    lay_out_table();
    append_csv_line(out, header_);
    has_output_ = is_in_table_ = true;
  }
  std::vector<std::string> line(header_.size());
  if (names_probes_) line.front() = probe_text(plan_.probes[header.probe_row]);
  const std::vector<size_t>& columns = clauses_[clause.plan->number].columns;
  for (size_t i = 0; i < texts.size(); ++i) line[columns[i]] = std::move(texts[i]);
  append_csv_line(out, line);
}

void ValueRows::append_folded_row(std::string& out, const PreparedClause& clause, const std::byte* record,
                                  const ActionServices& services) const {
  std::vector<Field> fields;
  const std::vector<ActionCells>& cells = clauses_[clause.plan->number].actions;
  for (size_t nth = 0; nth < clause.actions.size(); ++nth)
    if (clause.actions[nth].has_run(record))
      for (int32_t field : cells[nth].fields)
        fields.push_back(clause.actions[nth].plan->fields[static_cast<size_t>(field)]);
  if (std::ranges::none_of(fields, is_stack)) return;
  append_folded_keys(out, fields, record, services.values);
  out += " 1\n";
}

void ValueRows::print_aggregations(std::string& out, const PreparedAction& action, const std::byte* record,
                                   const ActionServices& services) {
  std::string text;
  action.run(action.call(record), services, text);
  if (format_ == OutputFormat::Csv) return append_table(out, std::move(text));
  if (!services.aggregations.is_folded(action.plan->aggregations)) return services.messages.write(text);
  out += text;
}

// Runs an action that has no cell in the row. Text without values goes to the message stream, but not the text between
// the values of a row.
void ValueRows::run_action(std::string& out, const PreparedClause& clause, const PreparedAction& action,
                           const std::byte* record, const ActionServices& services) {
  Action id = action.plan->action;
  if (id == Action::Printa) return print_aggregations(out, action, record, services);
  const ClauseCells& cells = clauses_[clause.plan->number];
  bool is_text = id == Action::Printf || prints_one_value(*action.plan);
  if (is_text && has_row(cells)) return;
  std::string text;
  if (id == Action::Freopen) services.flush_row(out);
  if (is_text) {
    ValuePrinter values = services.values.onto(services.messages);
    action.run(action.call(record), services.with(values), text);
    return services.messages.write(text);
  }
  action.run(action.call(record), services, text);
  out += text;
  if (id == Action::Freopen) has_output_ = is_in_table_ = false;
}

void ValueRows::append(std::string& out, const PreparedClause& clause, const ds_record_header& header,
                       const std::byte* record, const ActionServices& services) {
  const ClauseCells& cells = clauses_[clause.plan->number];
  std::vector<std::string> texts;
  bool is_first_title = true;
  for (size_t nth = 0; nth < clause.actions.size(); ++nth) {
    const PreparedAction& action = clause.actions[nth];
    const ActionCells& printed = cells.actions[nth];
    bool has_run = action.has_run(record);
    if (printed.is_title) {
      if (!has_run) continue;
      if (std::exchange(is_first_title, false) || !printed.continues_line) title_.clear();
      std::ranges::move(value_texts(action, record, services), std::back_inserter(title_));
    } else if (format_ == OutputFormat::Csv && !printed.fields.empty()) {
      std::vector<std::string> values(printed.fields.size());
      if (has_run) values = value_texts(action, record, services);
      std::ranges::move(values, std::back_inserter(texts));
    } else if (has_run && (printed.fields.empty() || !has_row(cells))) {
      run_action(out, clause, action, record, services);
    }
  }
  if (!has_row(cells)) return;
  if (format_ == OutputFormat::Csv) append_csv_row(out, clause, header, std::move(texts));
  else append_folded_row(out, clause, record, services);
}

}  // namespace dscope
