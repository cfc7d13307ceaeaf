#include "runtime/output/run_recorder.h"

#include <time.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "contract/buffers/service_maps.h"
#include "contract/row_stamp.h"
#include "runtime/aggregations/aggregation_form.h"
#include "runtime/format/value.h"
#include "runtime/output/wall_clock.h"
#include "support/text/glob.h"

namespace dscope {

namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
constexpr nanoseconds max_period = milliseconds{1000};
// Reading aggregations takes at most one 50th of a CPU, unless they are very large.
constexpr int64_t periods_per_cost = 50;
// Snapshots empty a table before it has filled by this part since the last one. They take at least the minimum apart.
constexpr double max_fill = 0.25;
constexpr nanoseconds min_fill_period = milliseconds{20};
constexpr int idle_steps = 20;       // elements expire by this part of option metricidle too late at most
constexpr size_t max_rows = 10'000;  // of an update; then it is sent early
constexpr size_t max_text_bytes = size_t{64} * 1024;

uint64_t clock_ns(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

std::string_view without_line_end(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  return text;
}

KeyKind kind_of(FieldKind kind) {
  switch (kind) {
    case FieldKind::Integer: return KeyKind::Number;
    case FieldKind::Stack:
    case FieldKind::UserStack: return KeyKind::Stack;
    case FieldKind::KernelAddr:
    case FieldKind::UserAddr: return KeyKind::Code;
    case FieldKind::String:
    case FieldKind::Bytes:
    case FieldKind::ProbeName:
    case FieldKind::Container: break;
  }
  return KeyKind::Text;
}

PictureAggregation describe(const AggregationPlan& plan) {
  PictureAggregation info{.name = plan.name, .function = plan.function};
  for (size_t i = 0; i < plan.keys.size(); ++i) {
    bool has_name = i < plan.columns.size() && !plan.columns[i].empty();
    info.keys.push_back(has_name ? plan.columns[i] : fmt::format("key{}", i + 1));
  }
  for (PercentileNumber each : plan.percentiles) info.columns.push_back("p" + percentile_text(each));
  info.source_hash = plan.source_hash;
  info.is_unsigned = rendering(plan.function).is_unsigned;
  bool has_own_bounds =
      plan.function == AggregationFunction::Lquantize || plan.function == AggregationFunction::Llquantize;
  for (size_t word = 0; has_own_bounds && word < plan.data_words; ++word)
    info.bucket_ends.push_back(rendering(plan.function).bounds(plan, word).high);
  return info;
}

PictureProbe describe(const ProbePlan& probe) { return {probe.provider, probe.module, probe.function, probe.name}; }

// The words of avg() are its count and sum; stddev() also has the sum of the squares, in 128 bits.
PictureParts parts_of(AggregationFunction function, AggregationWords words) {
  PictureParts parts;
  bool is_stddev = function == AggregationFunction::Stddev && words.size() >= 4;
  if (!is_stddev && (function != AggregationFunction::Avg || words.size() < 2)) return parts;
  parts.count = words[0];
  parts.sum = words[1];
  if (is_stddev)
    parts.sum_of_squares =
        static_cast<double>(static_cast<uint64_t>(words[2])) + static_cast<double>(words[3]) * 0x1p64;
  return parts;
}

// Elements that differ only in their stacks are one series, whose value must not fall when one of them expires. An
// extreme may stay the same although its element is in use.
bool may_expire(const AggregationPlan& plan) {
  bool has_stack = std::ranges::any_of(plan.keys, [](const Field& key) {
    return kind_of(key.variants.empty() ? key.kind : key.variants.front().kind) == KeyKind::Stack;
  });
  return !has_stack && row(plan.function).merge == AggregationMerge::Add;
}

// Both have four fields. Those of `description` are patterns; empty ones match everything.
bool matches_description(std::string_view probe, std::string_view description) {
  for (int field = 0; field < 4; ++field) {
    std::string_view text = probe.substr(0, probe.find(':')), pattern = description.substr(0, description.find(':'));
    if (!pattern.empty() && !glob_matches(pattern, text)) return false;
    probe.remove_prefix(std::min(text.size() + 1, probe.size()));
    description.remove_prefix(std::min(pattern.size() + 1, description.size()));
  }
  return true;
}

PictureValue value_of(const AggregationPlan& plan, AggregationWords words, uint64_t normal) {
  PictureValue value;
  if (words.empty()) return value;
  value.parts = parts_of(plan.function, words);
  if (!is_distribution(plan.function)) {
    value.numbers = column_values(plan, words, normal);
    return value;
  }
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == 0) continue;
    BucketBounds bounds = rendering(plan.function).bounds(plan, i);
    value.buckets.push_back({.low = bounds.low, .high = bounds.high, .count = normalized(words[i], normal)});
  }
  return value;
}

}  // namespace

RunRecorder::RunRecorder(const ProgramPlan& plan, const ValuePrinter& values, AggregationSet& aggregations,
                         PictureSettings settings)
    : plan_(plan),
      values_(values.exact()),
      aggregations_(aggregations),
      settings_(std::move(settings)),
      sent_probes_(plan.probes.size()),
      due_(Clock::now()),
      last_poll_(due_) {
  aggregations_.set_observer(this);
  for (const ProbePlan& probe : plan.probes) settings_.start.probes.push_back(describe(probe));
  for (const AggregationPlan& each : plan.aggregations) {
    settings_.start.aggregations.push_back(describe(each));
    totals_.emplace_back(each, settings_.max_elements);
  }
  for (uint32_t id = 0; settings_.max_elements != 0 && id < plan.aggregations.size(); ++id)
    if (plan.aggregations[id].key_size != 0 && !is_handled_by_script(plan, id))
      aggregations_.limit(id, settings_.max_elements);
  for (const IntervalMark& mark : plan.interval_marks)
    settings_.start.intervals.push_back({.clause = mark.clause, .name = mark.variable, .is_begin = mark.is_begin});
  settings_.start.start_ns = wall_clock_ns();
  settings_.start.start_monotonic_ns = clock_ns(CLOCK_MONOTONIC);
  settings_.sink->begin(std::move(settings_.start));
}

void RunRecorder::row(const PreparedClause& clause, const ds_record_header& header, const std::byte* record,
                      std::string_view text) {
  PictureRow& row = update_.rows.emplace_back();
  row.time_ns = wall_clock_ns();
  row.probe = header.probe_row;
  row.clause = header.clause;
  row.cpu = header.cpu;
  row.text = text.substr(0, max_text_bytes);
  if (has_stamp(plan_.options, *clause.plan) &&
      clause.plan->record_size >= sizeof(ds_record_header) + sizeof(ds_row_stamp)) {
    ds_row_stamp stamp;
    std::memcpy(&stamp, record + sizeof(ds_record_header), sizeof stamp);
    row.monotonic_ns = stamp.time;
    row.pid = static_cast<uint32_t>(stamp.pid_tgid >> 32);
    row.tid = static_cast<uint32_t>(stamp.pid_tgid);
    row.execname = text_of(std::as_bytes(std::span{stamp.comm}));
  }
  if (settings_.records_stacks) row.stack = stack_of(clause, record);
  if (update_.rows.size() >= max_rows) send();
}

void RunRecorder::fault(const ds_fault_record& fault, std::string_view text) {
  update_.faults.push_back(
      {.time_ns = wall_clock_ns(), .probe = fault.header.probe_row, .text = std::string{without_line_end(text)}});
}

void RunRecorder::drops(const std::vector<Drop>& drops) {
  for (const Drop& drop : drops)
    update_.drops.push_back({.time_ns = wall_clock_ns(), .text = drop.text, .kind = drop.tag, .count = drop.count});
}

// The first stack of the kernel and the first one of a process that the clause has printed.
std::vector<PictureFrame> RunRecorder::stack_of(const PreparedClause& clause, const std::byte* record) const {
  std::vector<PictureFrame> kernel, user;
  for (const PreparedAction& action : clause.actions) {
    if (!action.has_run(record)) continue;
    for (const Field& field : action.plan->fields) {
      if (field.kind == FieldKind::Stack && kernel.empty()) kernel = frames_of(field, record);
      if (field.kind == FieldKind::UserStack && user.empty()) user = frames_of(field, record);
    }
  }
  std::ranges::move(user, std::back_inserter(kernel));
  return kernel;
}

std::vector<PictureFrame> RunRecorder::frames_of(const Field& field, const std::byte* base) const {
  std::vector<PictureFrame> frames;
  for (std::string& frame : values_.frame_texts(field, base, /*with_offset=*/false))
    frames.push_back({.text = std::move(frame), .is_kernel = field.kind == FieldKind::Stack});
  return frames;
}

std::vector<PictureKey> RunRecorder::keys_of(const AggregationPlan& plan, const std::byte* key) const {
  std::vector<PictureKey> keys;
  for (const Field& any : plan.keys) {
    const Field& field = field_in(any, key);
    PictureKey& added = keys.emplace_back(PictureKey{.kind = kind_of(field.kind)});
    if (added.kind == KeyKind::Stack) added.frames = frames_of(field, key);
    else added.text = key_text(any, key, values_);
  }
  return keys;
}

void RunRecorder::collect(uint32_t id, const std::vector<AggregationEntry>& entries, uint64_t normal,
                          const std::vector<int64_t>& removed) {
  for (const AggregationTotals::Change& change : totals_[id].changes(entries, normal, removed))
    append_change(id, change, normal);
}

void RunRecorder::append_change(uint32_t id, const AggregationTotals::Change& change, uint64_t normal) {
  const AggregationPlan& plan = plan_.aggregations[id];
  if (change.is_new)
    update_.new_elements.push_back({.aggregation = id,
                                    .keys = change.is_overflow ? std::vector<PictureKey>{} : keys_of(plan, change.key),
                                    .is_overflow = change.is_overflow,
                                    .created_ns = settings_.max_elements != 0 ? wall_clock_ns() : 0,
                                    .number = change.element});
  update_.changes.push_back({.aggregation = id,
                             .element = change.element,
                             .value = value_of(plan, change.words, normal),
                             .is_removed = change.words.empty()});
}

void RunRecorder::collect_all() {
  ++collections_;
  for (uint32_t id = 0; id < totals_.size(); ++id) {
    const AggregationTable& table = aggregations_.current(id);
    collect(id, table.entries(), table.normal, table.overflow());
    if (AggregationFill fill = table.fill(); fill.capacity != 0)
      update_.fills.push_back({.aggregation = id, .elements = fill.elements, .capacity = fill.capacity});
    if (table.is_limited() && settings_.max_idle.count() != 0 && may_expire(table.plan())) expire(id);
  }
}

// Removes what has not changed since the oldest call that is older than option metricidle.
void RunRecorder::expire(uint32_t id) {
  Clock::time_point limit = Clock::now() - settings_.max_idle;
  auto first_kept = std::ranges::find_if(calls_, [&](const Call& call) { return call.time > limit; });
  if (first_kept == calls_.begin()) return;
  std::vector<AggregationTotals::Change> changes;
  for (const std::string& identity : totals_[id].expire(first_kept[-1].number, changes))
    aggregations_.forget(id, identity);
  for (const AggregationTotals::Change& change : changes) append_change(id, change, aggregations_.normal(id));
}

void RunRecorder::before_reset(uint32_t id, const std::vector<AggregationEntry>& entries) {
  collect(id, entries, aggregations_.normal(id));
  totals_[id].before_reset(entries);
}

// Programs are named by their first probe. Users know the clause that enables it.
void RunRecorder::name_by_clauses(RunCost& cost) const {
  for (ProgramCostPart& part : cost.programs)
    for (const ClausePlan& clause : plan_.clauses)
      if (matches_description(part.name, clause.description)) {
        part.name = clause.description;
        break;
      }
}

void RunRecorder::send() {
  for (; sent_probes_ < plan_.probes.size(); ++sent_probes_)
    update_.probes.push_back(describe(plan_.probes[sent_probes_]));
  update_.time_ns = wall_clock_ns();
  update_.cost.consumer_cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
  if (settings_.measure_programs) settings_.measure_programs(update_.cost);
  name_by_clauses(update_.cost);
  settings_.sink->add(std::exchange(update_, {}));
}

std::chrono::steady_clock::time_point RunRecorder::due() const {
  return fill_period_ ? due_ : Clock::time_point::max();
}

void RunRecorder::poll() {
  Clock::time_point now = Clock::now();
  if (now < due_) return;
  uint64_t before = clock_ns(CLOCK_THREAD_CPUTIME_ID);
  if (settings_.max_idle.count() != 0) note_call(now);
  collect_all();
  choose_period(now - std::exchange(last_poll_, now));
  send();
  nanoseconds cost{clock_ns(CLOCK_THREAD_CPUTIME_ID) - before};
  nanoseconds period = std::clamp(cost * periods_per_cost, nanoseconds{settings_.min_period}, max_period);
  due_ = now + std::min(period, fill_period_.value_or(period));
}

// Each collection is a call of changes() of an aggregation that the script does not handle.
void RunRecorder::note_call(Clock::time_point now) {
  if (!calls_.empty() && now - calls_.back().time < settings_.max_idle / idle_steps) return;
  calls_.push_back({.time = now, .number = collections_ + 1});
  // Only the last one beyond the limit is of use.
  while (calls_.size() > 1 && now - calls_[1].time >= settings_.max_idle) calls_.pop_front();
}

// `elapsed`: since the last snapshot. Tables that are not emptied fill up whatever the period is.
void RunRecorder::choose_period(Clock::duration elapsed) {
  fill_period_.reset();
  for (const TableFill& fill : update_.fills) {
    double part = static_cast<double>(fill.elements) / static_cast<double>(fill.capacity);
    if (part < max_fill / 4 || !aggregations_.is_limited(fill.aggregation)) continue;
    nanoseconds wanted{static_cast<int64_t>(static_cast<double>(nanoseconds{elapsed}.count()) * max_fill / part)};
    wanted = std::clamp(wanted, min_fill_period, nanoseconds{settings_.min_period});
    fill_period_ = std::min(wanted, fill_period_.value_or(wanted));
  }
}

void RunRecorder::finish(int exit_status) {
  collect_all();
  send();
  settings_.sink->end({.time_ns = wall_clock_ns(), .exit_status = exit_status});
}

}  // namespace dscope
