#include "runtime/aggregations/aggregation_set.h"

#include <algorithm>
#include <cmath>

#include "runtime/format/append_text.h"
#include "runtime/format/output_format.h"

namespace dscope {

namespace {

// The value that is printed for a key that the aggregation lacks.
std::vector<int64_t> zero_words(const AggregationPlan& plan) { return std::vector<int64_t>(plan.data_words); }

size_t option_position(const OptionValues& options, OptionId id, size_t count) {
  int64_t position = options.number(id);
  return position > 0 && static_cast<uint64_t>(position) < count ? static_cast<size_t>(position) : 0;
}

// Text is written to the stream in pieces of about this size.
constexpr size_t chunk_size = size_t{64} * 1024;

constexpr std::string_view value_separator = "  ";  // between columns that fit their data

}  // namespace

// The %@ conversions of one row.
class AggregationSet::Values final : public AggregatedValues {
 public:
  Values(const AggregationSet& set, const Join& join, const Row& row) : set_(&set), join_(&join), row_(&row) {}

  void append(std::string& out, size_t nth, const FormatPiece& piece, const ConversionStyle& style) const override {
    size_t index = std::min(nth, join_->ids.size() - 1);
    const AggregationTable& table = set_->tables_[join_->ids[index]].table;
    const AggregationPlan& plan = table.plan();
    const AggregationEntry* entry = join_->entries[row_->first_slot + index];
    std::vector<int64_t> words = entry ? entry->words : zero_words(plan);
    if (piece.percentile) return append_percentile(out, table, words, piece, style);
    if (is_distribution(plan.function)) return append_value(out, plan, words, table.normal, set_->distribution_style());
    std::string_view separator;
    for (int64_t value : column_values(plan, words, table.normal)) {
      out += std::exchange(separator, " ");
      append_number(out, piece.conversion, static_cast<uint64_t>(value), plan.is_value_signed, *set_->values_, style);
    }
  }

 private:
  // normalize() divides the counts of a distribution, which does not change its percentiles.
  void append_percentile(std::string& out, const AggregationTable& table, AggregationWords words,
                         const FormatPiece& piece, const ConversionStyle& style) const {
    uint64_t normal = is_distribution(table.plan().function) ? 1 : table.normal;
    int64_t value = normalized(percentile_of(table.plan(), words, *piece.percentile), normal);
    append_number(out, piece.conversion, static_cast<uint64_t>(value), /*is_signed=*/true, *set_->values_, style);
  }

  const AggregationSet* set_;
  const Join* join_;
  const Row* row_;
};

AggregationSet::AggregationSet(const ProgramPlan& plan, const ValuePrinter& values, AggregationSource& source,
                               OutputStream& messages, std::string program_name)
    : values_(&values), messages_(&messages), program_name_(std::move(program_name)) {
  for (uint32_t id = 0; id < plan.aggregations.size(); ++id)
    tables_.push_back({AggregationTable{plan, id, values, source}});
}

void AggregationSet::begin_pass() {
  for (Slot& slot : tables_) slot.is_fresh = false;
}

bool AggregationSet::is_within_aggrate(const Slot& slot) const {
  int64_t rate = values_->options().number(OptionId::Aggrate);
  if (ignores_rate_ || !slot.is_read || rate <= 0) return false;
  return std::chrono::steady_clock::now() - slot.read_at < std::chrono::nanoseconds{rate};
}

void AggregationSet::refresh(Slot& slot) {
  if (auto read = slot.table.refresh(); !read)
    messages_->write(fmt::format("{}: {}\n", program_name_, read.error().message()));
}

void AggregationSet::clear(uint32_t id) {
  AggregationTable& cleared = table(id);
  if (observer_ != nullptr) observer_->before_reset(id, cleared.entries());
  cleared.clear();
  tables_[id].is_limited = false;
}

void AggregationSet::truncate(uint32_t id, std::optional<int64_t> keep) {
  AggregationTable& truncated = table(id);
  if (observer_ != nullptr && !keep) observer_->before_reset(id, truncated.entries());
  truncated.truncate(keep);
  tables_[id].is_limited = keep.has_value();
}

const AggregationTable& AggregationSet::current(uint32_t id) {
  refresh(tables_[id]);
  return tables_[id].table;
}

AggregationTable& AggregationSet::table(uint32_t id) {
  Slot& slot = tables_[id];
  if (slot.is_fresh || is_within_aggrate(slot)) return slot.table;
  slot.is_fresh = slot.is_read = true;
  slot.read_at = std::chrono::steady_clock::now();
  refresh(slot);
  return slot.table;
}

void AggregationSet::normalize(uint32_t id, uint64_t normal) {
  AggregationTable& aggregation = tables_[id].table;
  if (normal != 0) {
    aggregation.normal = normal;
  } else {
    messages_->write(fmt::format("{}: normalize( ) of @{} by 0 is ignored\n", program_name_, aggregation.plan().name));
  }
}

OutputFormat AggregationSet::form_of(const std::vector<uint32_t>& ids) const {
  OutputFormat format = output_format(values_->options());
  if (is_picture(format)) return OutputFormat::Text;
  bool is_text = format == OutputFormat::Folded && !dscope::is_folded(tables_[ids.front()].table.plan());
  return is_text ? OutputFormat::Text : format;
}

AggregationSet::Join AggregationSet::join(const std::vector<uint32_t>& ids) {
  Join result{.ids = ids};
  std::unordered_map<std::string_view, size_t> row_by_identity;
  for (uint32_t i = 0; i < ids.size(); ++i) {
    for (const AggregationEntry& entry : table(ids[i]).entries()) {
      size_t at = result.rows.size();
      // Within one aggregation no key occurs twice: no need to look it up.
      if (ids.size() > 1) at = row_by_identity.try_emplace(entry.identity, at).first->second;
      if (at == result.rows.size()) {
        result.rows.push_back({.first_slot = result.entries.size(), .key_source = i, .order_key = entry.identity});
        result.entries.resize(result.entries.size() + ids.size());
      }
      result.entries[result.rows[at].first_slot + i] = &entry;
    }
  }
  if (values_->options().is_on(OptionId::Aggkept)) remove_truncated_rows(result);
  compute_sort_keys(result);
  sort(result);
  return result;
}

// Option aggkept: by default, D prints zeros for a key that one of the aggregations lacks.
void AggregationSet::remove_truncated_rows(Join& join) const {
  for (size_t i = 0; i < join.ids.size(); ++i)
    if (tables_[join.ids[i]].is_limited)
      std::erase_if(join.rows, [&](const Row& row) { return join.entries[row.first_slot + i] == nullptr; });
}

void AggregationSet::compute_sort_keys(Join& join) const {
  const OptionValues& options = values_->options();
  for (size_t i = 0; i < join.entries.size(); ++i) {
    const AggregationPlan& plan = tables_[join.ids[i % join.ids.size()]].table.plan();
    join.weights.push_back(weight_of(plan, join.entries[i] ? join.entries[i]->words : zero_words(plan)));
  }
  for (Row& row : join.rows) {
    const AggregationPlan& plan = tables_[join.ids[row.key_source]].table.plan();
    size_t first_key = option_position(options, OptionId::Aggsortkeypos, plan.keys.size());
    if (first_key == 0) continue;
    row.order_key = join.rotated_keys.emplace_back(
        key_identity(plan, join.entries[row.first_slot + row.key_source]->key, *values_, first_key));
  }
}

void AggregationSet::sort(Join& join) const {
  const OptionValues& options = values_->options();
  bool by_key = options.is_on(OptionId::Aggsortkey);
  size_t count = join.ids.size();
  size_t first_value = option_position(options, OptionId::Aggsortpos, count);
  auto is_before = [&](const Row& a, const Row& b) {
    for (size_t i = 0; i < count && !by_key; ++i) {
      size_t at = (first_value + i) % count;
      if (auto by_value = join.weights[a.first_slot + at] <=> join.weights[b.first_slot + at]; by_value != 0)
        return by_value < 0;
    }
    return a.order_key < b.order_key;
  };
  bool is_reversed = options.is_on(OptionId::Aggsortrev);
  std::sort(join.rows.begin(), join.rows.end(),
            [&](const Row& a, const Row& b) { return is_reversed ? is_before(b, a) : is_before(a, b); });
}

void AggregationSet::append_element_value(std::string& out, const AggregationTable& table,
                                          const AggregationEntry* entry) const {
  const AggregationPlan& plan = table.plan();
  DistributionStyle style = distribution_style();
  if (!entry) return append_value(out, plan, zero_words(plan), table.normal, style);
  append_value(out, plan, entry->words, table.normal, style);
  for (size_t cpu = 0; cpu < entry->per_cpu.size(); ++cpu) {
    out += fmt::format("\n    [CPU {}]", cpu);
    append_value(out, plan, entry->per_cpu[cpu], table.normal, style);
  }
}

void AggregationSet::append_row(std::string& out, const Join& join, const Row& row, const ColumnWidths& widths) const {
  append_keys(out, tables_[join.ids[row.key_source]].table.plan(), join.entries[row.first_slot + row.key_source]->key,
              *values_, widths.keys);
  for (size_t i = 0; i < join.ids.size(); ++i) {
    if (widths.values.empty()) {
      append_element_value(out, tables_[join.ids[i]].table, join.entries[row.first_slot + i]);
    } else {
      out += value_separator;
      append_right(out, value_text(join, row, i), widths.values[i]);
    }
  }
  out += '\n';
}

// Returns the value without leading blanks.
std::string AggregationSet::value_text(const Join& join, const Row& row, size_t i) const {
  std::string text;
  append_element_value(text, tables_[join.ids[i]].table, join.entries[row.first_slot + i]);
  return text.erase(0, text.find_first_not_of(' '));
}

// Returns the default widths if the output is not for a terminal or a key or value has lines of its own.
AggregationSet::ColumnWidths AggregationSet::column_widths(const Join& join) const {
  if (!line_width_ || output_format(values_->options()) != OutputFormat::Text) return {};
  ColumnWidths widths;
  std::vector<const AggregationPlan*> plans = plans_of(join);
  for (const AggregationPlan* plan : plans)
    widths.values.push_back(has_column_header(plans) ? column_titles(*plan).size() : 0);
  for (const Row& row : join.rows) {
    const AggregationPlan& plan = tables_[join.ids[row.key_source]].table.plan();
    if (!fit_widths(widths.keys, plan, join.entries[row.first_slot + row.key_source]->key, *values_)) return {};
    for (size_t i = 0; i < join.ids.size(); ++i) {
      std::string text = value_text(join, row, i);
      if (text.find('\n') != std::string::npos) return {};
      widths.values[i] = std::max(widths.values[i], text.size());
    }
  }
  size_t value_columns = 0;
  for (size_t width : widths.values) value_columns += value_separator.size() + width;
  narrow_widths(widths.keys, *plans.front(), *values_, *line_width_ - std::min(*line_width_, value_columns));
  return widths;
}

std::vector<const AggregationPlan*> AggregationSet::plans_of(const Join& join) const {
  std::vector<const AggregationPlan*> plans;
  for (uint32_t id : join.ids) plans.push_back(&tables_[id].table.plan());
  return plans;
}

// The titles above the columns of values. They end where the values end.
void AggregationSet::append_titles(std::string& out, const std::vector<const AggregationPlan*>& plans,
                                   const ColumnWidths& widths) const {
  if (widths.values.empty()) return append_column_header(out, plans);
  append_blanks(out, key_columns(widths.keys, *plans.front(), *values_));
  for (size_t i = 0; i < plans.size(); ++i) {
    out += value_separator;
    append_right(out, column_titles(*plans[i]), widths.values[i]);
  }
  out += '\n';
}

AggregationLine AggregationSet::line_of(const Join& join, const Row& row) const {
  AggregationLine result{.key_plan = &tables_[join.ids[row.key_source]].table.plan(),
                         .key = join.entries[row.first_slot + row.key_source]->key};
  for (size_t i = 0; i < join.ids.size(); ++i) {
    const AggregationTable& table = tables_[join.ids[i]].table;
    const AggregationEntry* entry = join.entries[row.first_slot + i];
    result.values.push_back({&table.plan(), entry ? entry->words : zero_words(table.plan()), table.normal, entry});
  }
  return result;
}

DistributionStyle AggregationSet::distribution_style() const {
  const OptionValues& options = values_->options();
  return {.is_zoomed = options.is_on(OptionId::Aggzoom),
          .is_packed = options.is_on(OptionId::Aggpack),
          .is_utf8 = options.text(OptionId::Encoding) == "utf8"};
}

template <typename Flush>
void AggregationSet::append_rows(std::string& text, const Join& join, Flush&& flush) const {
  OutputFormat format = form_of(join.ids);
  const AggregationPlan& plan = tables_[join.ids.front()].table.plan();
  bool has_bars = values_->options().is_on(OptionId::Agghist) && join.ids.size() == 1 && has_bar_form(plan);
  long double total = 0;
  std::vector<const AggregationPlan*> plans = plans_of(join);
  ColumnWidths widths = column_widths(join);
  if (!join.rows.empty() && format == OutputFormat::Csv) {
    append_csv_header(text, plans);
  } else if (!join.rows.empty() && format == OutputFormat::Text && has_column_header(plans)) {
    append_titles(text, plans, widths);
  } else if (!join.rows.empty() && has_bars) {
    append_bar_header(text, plan);
    for (const AggregationWeight& weight : join.weights) total += std::fabs(weight.weight);
  }
  for (const Row& row : join.rows) {
    if (format == OutputFormat::Csv) append_csv_row(text, line_of(join, row), *values_);
    else if (format == OutputFormat::Folded) append_folded_row(text, line_of(join, row), *values_);
    else if (has_bars) append_bar_row(text, line_of(join, row), total, *values_);
    else append_row(text, join, row, widths);
    if (text.size() >= chunk_size) flush(text);
  }
}

void AggregationSet::printa(std::string& out, const std::vector<uint32_t>& ids, const FormatPlan* format) {
  Join joined = join(ids);
  OutputFormat form = form_of(ids);
  // These forms have a layout of their own.
  if (form == OutputFormat::Csv || form == OutputFormat::Folded) format = nullptr;
  // Aggregations that are printed together may record the same key in different widths: bind the format to each.
  std::vector<PreparedFormat> formats;
  for (uint32_t id : ids)
    if (format) formats.emplace_back(*format, tables_[id].table.plan().keys);
  if (!format) {
    if (form == OutputFormat::Text) out += '\n';
    append_rows(out, joined, [](const std::string&) {});
  } else {
    for (const Row& row : joined.rows) {
      Values aggregated{*this, joined, row};
      formats[row.key_source].append(out, joined.entries[row.first_slot + row.key_source]->key, *values_, &aggregated);
    }
  }
  mark_printed(ids);
}

void AggregationSet::visit(const std::vector<uint32_t>& ids,
                           const std::function<void(const AggregationLine&)>& visitor) {
  Join joined = join(ids);
  for (const Row& row : joined.rows) visitor(line_of(joined, row));
  mark_printed(ids);
}

void AggregationSet::mark_printed(const std::vector<uint32_t>& ids) {
  for (uint32_t id : ids) {
    if (observer_ != nullptr) observer_->on_printed(id);
    if (!tables_[id].table.entries().empty()) tables_[id].table.is_printed = true;
  }
}

std::vector<uint32_t> AggregationSet::unprinted() const {
  std::vector<uint32_t> ids;
  for (uint32_t id = 0; id < tables_.size(); ++id)
    if (!tables_[id].table.is_printed) ids.push_back(id);
  if (values_->options().is_on(OptionId::Aggsortrev)) std::reverse(ids.begin(), ids.end());
  return ids;
}

bool AggregationSet::print_unprinted(OutputStream& out, bool has_printed) {
  OutputFormat format = output_format(values_->options());
  std::string text;
  for (uint32_t id : unprinted()) {
    Join joined = join({id});
    if (joined.rows.empty()) continue;
    OutputStream& stream = form_of({id}) == format ? out : *messages_;
    auto flush = [&stream](std::string& full) {
      stream.write(full);
      full.clear();
    };
    // An empty line separates CSV tables.
    if (format == OutputFormat::Csv && std::exchange(has_printed, true)) text += '\n';
    append_rows(text, joined, flush);
    if (format == OutputFormat::Folded) flush(text);
  }
  out.write(text);
  return has_printed;
}

}  // namespace dscope
