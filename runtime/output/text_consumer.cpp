#include "runtime/output/text_consumer.h"

#include <algorithm>
#include <cstring>

#include "contract/buffers/buffer_policy.h"
#include "runtime/format/fault_reporter.h"
#include "runtime/format/output_format.h"

namespace dscope {

TextConsumer::TextConsumer(const ProgramPlan& plan, ConsumerSettings settings, AggregationSource& source,
                           Symbolizer& symbols, OutputStream& out, OutputStream& messages)
    : DecodingConsumer(plan, std::move(settings), source, symbols,
                       is_picture(output_format(plan.options)) ? messages : out, messages),
      is_picture_(is_picture(output_format(plan.options))),
      may_repeat_rows_(plan.aggregations.empty() && buffer_policy(plan.options) == BufferPolicy::Switch),
      is_decorated_(is_picture_ || output_format(plan.options) == OutputFormat::Text),
      rows_(plan, options_, {.is_testing = settings_.is_testing, .fits_columns = settings_.fits_columns},
            [&symbols](std::string_view name) { return symbols.readable(name); }),
      direct_rows_(plan, options_, values_, out),
      value_rows_(plan, output_format(plan.options)),
      faults_(plan, settings_.program_name, settings_.terminal.value_or(Terminal{})),
      advice_(plan, options_) {
  if (settings_.fits_columns) aggregations_.fit_columns(settings_.line_width);
}

void TextConsumer::record(std::span<const std::byte> bytes) {
  advice_.count_record(bytes);
  ds_record_header header;
  if (may_repeat_rows_ && bytes.size() >= sizeof header) {
    std::memcpy(&header, bytes.data(), sizeof header);
    if (direct_rows_.write_like_last(header, bytes, rows_)) return;
  }
  DecodingConsumer::record(bytes);
}

void TextConsumer::begin_pass() {
  DecodingConsumer::begin_pass();
  rows_.begin_pass();
  direct_rows_.forget_last();
}

void TextConsumer::row(const PreparedClause& clause, const ds_record_header& header, const std::byte* record) {
  direct_rows_.forget_last();
  prepare_aggregations(clause, header, record);
  if (is_decorated_ && !recorder_ && direct_rows_.write(clause, header, record, rows_)) return;
  row_.clear();
  append_row(clause, header, record);
  out_.write(row_);
}

// Appends the row to row_, and sends the text of its actions to the pictures.
void TextConsumer::append_row(const PreparedClause& clause, const ds_record_header& header, const std::byte* record) {
  bool has_frame = is_decorated_ && !is_picture_ && clause.plan->has_record;
  if (has_frame) rows_.begin_row(row_, header);
  size_t prefix = row_.size();
  if (is_decorated_) append_actions(clause, record);
  else value_rows_.append(row_, clause, header, record, services_);
  if (recorder_ && clause.plan->has_record)
    recorder_->row(clause, header, record, std::string_view{row_}.substr(std::min(prefix, row_.size())));
  if (is_picture_ && !row_.empty() && !row_.ends_with('\n')) row_ += '\n';
  if (has_frame) rows_.end_row(row_);
}

void TextConsumer::append_actions(const PreparedClause& clause, const std::byte* record) {
  for (const PreparedAction& action : clause.actions) {
    if (!action.has_run(record)) continue;
    size_t end = row_.size();
    action.run(action.call(record), services_, row_);
    // A picture shows the aggregation.
    if (is_picture_ && action.plan->action == Action::Printa) row_.resize(end);
  }
}

void TextConsumer::fault(const ds_fault_record& fault) {
  needed_scratchsize_ = std::max(needed_scratchsize_, needed_scratchsize(plan_, fault).value_or(0));
  if (recorder_) recorder_->fault(fault, std::string_view{fault_text(plan_, fault, "", /*show_line=*/false)}.substr(2));
  messages_.write(settings_.terminal ? faults_.add(fault, FaultTally::Clock::now())
                                     : fault_text(plan_, fault, settings_.program_name, settings_.show_fault_lines));
}

void TextConsumer::report_drops(const DropCounters& totals) {
  if (std::string lines = faults_.due(FaultTally::Clock::now()); !lines.empty()) {
    messages_.write(lines);
    messages_.flush();
  }
  std::vector<Drop> drops = drops_.new_drops(totals);
  if (recorder_) recorder_->drops(drops);
  advice_.add(drops, totals.size());
  for (const Drop& drop : drops) {
    messages_.write(drop_text(drop, settings_.program_name, options_.is_on(OptionId::Droptags)));
    messages_.flush();
  }
}

void TextConsumer::interrupted() {
  if (!settings_.is_testing && is_decorated_ && !is_picture_) out_.write("\n");
}

void TextConsumer::finish(bool print_aggregations) {
  if (print_aggregations) write_buffered_rows();
  if (is_decorated_ && !is_picture_) out_.write("\n");
  prepare_last_aggregations();
  if (print_aggregations && !is_picture_ && !settings_.pictures.shows_aggregations) {
    bool has_table = aggregations_.print_unprinted(out_, value_rows_.has_output());
    if (!has_table) out_.write(value_rows_.header_of_empty_table());
  }
  if (recorder_) recorder_->finish(exit_status().value_or(0));
  out_.flush();
  messages_.write(faults_.rest(FaultTally::Clock::now()));
  if (settings_.shows_hints) {
    std::vector<std::string> hints = advice_.hints();
    // FaultTally has printed it on a terminal.
    if (needed_scratchsize_ != 0 && !settings_.terminal)
      hints.push_back(fmt::format("the copies that faulted need -x scratchsize={}", needed_scratchsize_));
    for (const std::string& hint : hints) messages_.write(fmt::format("{}: hint: {}\n", settings_.program_name, hint));
  }
  report_damage();
  messages_.flush();
}

}  // namespace dscope
