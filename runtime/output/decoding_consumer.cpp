#include "runtime/output/decoding_consumer.h"

#include "contract/buffers/buffer_policy.h"
#include "support/check.h"

namespace dscope {

namespace {

// With bufpolicy fill the program stops recording when the buffer is full, so the history may keep every row.
std::optional<RowHistory> make_history(RowWriter& writer, const OptionValues& options) {
  switch (buffer_policy(options)) {
    case BufferPolicy::Switch: return std::nullopt;
    case BufferPolicy::Fill: return RowHistory{writer, UINT64_MAX};
    case BufferPolicy::Ring: return RowHistory{writer, buffer_size(options)};
  }
  DS_UNREACHABLE();
}

}  // namespace

DecodingConsumer::DecodingConsumer(const ProgramPlan& plan, ConsumerSettings settings, AggregationSource& source,
                                   Symbolizer& symbols, OutputStream& out, OutputStream& messages)
    : plan_(plan),
      settings_(std::move(settings)),
      out_(out),
      messages_(messages),
      options_(plan.options),
      values_(plan, options_, symbols, settings_.target_tgid, out),
      key_values_(values_.for_keys(settings_.prints_as_dtrace)),
      recorded_(plan, values_, source),
      aggregations_(plan, key_values_, recorded_, messages, settings_.program_name),
      packets_(settings_.packet_program),
      services_{plan, values_,   aggregations_,          exit_status_, options_,
                out_, messages_, settings_.program_name, packets_},
      recorder_(std::nullopt),
      history_(make_history(*this, plan.options)),
      decoder_(plan, settings_.speculations, history_ ? static_cast<RowWriter&>(*history_) : *this) {
  if (settings_.pictures.sink != nullptr)
    recorder_.emplace(plan_, values_, aggregations_, std::move(settings_.pictures));
}

void DecodingConsumer::write_buffered_rows() {
  begin_pass();
  if (history_) history_->replay();
}

void DecodingConsumer::begin_pass() {
  messages_.flush();
  aggregations_.begin_pass();
}

void DecodingConsumer::update_aggregations(const PreparedClause& clause, const ds_record_header& header,
                                           const std::byte* record) {
  for (const UpdatePlan& update : clause.plan->updates)
    if (has_run(update.ran_offset, record)) recorded_.add(update, header.cpu, record);
  // END is the last probe: its printa() must print current values.
  if (plan_.probes[header.probe_row].is_end) aggregations_.ignore_rate();
}

void DecodingConsumer::prepare_last_aggregations() {
  aggregations_.begin_pass();
  aggregations_.ignore_rate();
}

void DecodingConsumer::report_damage() {
  uint64_t damaged = decoder_.damaged_records();
  if (damaged == 0) return;
  messages_.write(
      fmt::format("{}: {} damaged record{} skipped\n", settings_.program_name, damaged, damaged == 1 ? "" : "s"));
}

}  // namespace dscope
