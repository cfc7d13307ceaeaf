// Writes blocks of events. Each column is written as numbers or as differences, whichever takes fewer bytes.
#include <bit>
#include <cstring>

#include "capture/event_columns.h"
#include "capture/event_prediction.h"
#include "capture/varint.h"

namespace dscope {

namespace {

void append_sized(std::string& out, std::string_view bytes) {
  append_varint(out, bytes.size());
  out += bytes;
}

template <typename Number>
void append_column(std::string& out, const std::vector<Number>& values) {
  std::string bytes;
  bytes.reserve(values.size() * 2);
  for (Number value : values) append_varint(bytes, static_cast<uint64_t>(value));
  append_sized(out, bytes);
}

size_t varint_size(uint64_t value) { return (static_cast<size_t>(std::bit_width(value | 1)) + 6) / 7; }

// Addresses and descriptors are close to their predecessors; sizes and results often repeat, and then compress better
// as they are.
void append_numbers(std::string& out, const std::vector<uint64_t>& values) {
  size_t as_numbers = 0, as_differences = 0;
  uint64_t before = 0;
  for (uint64_t value : values) {
    as_numbers += varint_size(to_zigzag(value));
    as_differences += varint_size(to_zigzag(value - before));
    before = value;
  }
  // Differences must save much to be worth the repetitions that they hide.
  bool are_differences = as_differences * 2 < as_numbers;
  out += are_differences ? '\1' : '\0';
  std::string bytes;
  bytes.reserve(are_differences ? as_differences : as_numbers);
  before = 0;
  for (uint64_t value : values) {
    append_varint(bytes, to_zigzag(are_differences ? value - before : value));
    before = value;
  }
  append_sized(out, bytes);
}

}  // namespace

std::string key_of(const CapturedThread& thread) {
  uint32_t numbers[] = {thread.pid, thread.tid, thread.ppid, thread.uid, thread.gid};
  return std::string(reinterpret_cast<const char*>(numbers), sizeof numbers) + thread.execname;
}

EventBlock::EventBlock(const std::vector<CapturedShape>& shapes) : shapes_(shapes), columns_(shapes.size()) {}

uint32_t EventBlock::intern(Texts& texts, std::vector<std::string_view>& order, std::string_view text) {
  if (auto found = texts.find(text); found != texts.end()) return found->second;
  auto [entry, is_new] = texts.emplace(text, static_cast<uint32_t>(order.size()));
  order.push_back(entry->first);
  constexpr size_t overhead = 100;  // of an element
  size_ += text.size() + overhead;
  return entry->second;
}

uint32_t EventBlock::intern(const CapturedThread& thread) { return intern(threads_, thread_order_, key_of(thread)); }

// Index 0 is no stack and no string.
uint32_t EventBlock::intern(std::span<const uint64_t> stack) {
  if (stack.empty()) return 0;
  return intern(stacks_, stack_order_, {reinterpret_cast<const char*>(stack.data()), stack.size_bytes()}) + 1;
}
uint32_t EventBlock::intern(std::string_view bytes) {
  return bytes.empty() ? 0 : intern(strings_, string_order_, bytes) + 1;
}

void EventBlock::add(const RecordedEvent& event) {
  if (event_count_++ == 0) first_time_ = event.time;
  last_time_ = event.time;
  times_.push_back(event.time);
  probes_.push_back(event.probe);
  cpus_.push_back(event.cpu);
  event_threads_.push_back(event.thread);
  kernel_stacks_.push_back(event.kernel_stack);
  user_stacks_.push_back(event.user_stack);
  errors_.push_back(event.error);
  std::vector<Column>& columns = columns_[event.probe];
  if (columns.empty()) columns.resize(shapes_[event.probe].columns.size());
  for (size_t i = 0; i < columns.size(); ++i) columns[i].values.push_back(event.values[i]);
  constexpr size_t event_size = 40;
  size_ += event_size + columns.size() * sizeof(uint64_t);
  for (const CapturedObjectShape& object : shapes_[event.probe].objects) size_ += object.size;
}

std::string EventBlock::take() {
  std::string content;
  content.reserve(event_count_ * 16);
  append_tables(content);
  append_columns(content);
  std::string block = seal_block({.type = BlockType::Events,
                                  .event_count = static_cast<uint32_t>(event_count_),
                                  .first_time = first_time_,
                                  .last_time = last_time_},
                                 content);
  clear();
  return block;
}

void EventBlock::append_tables(std::string& out) const {
  append_varint(out, thread_order_.size());
  for (std::string_view thread : thread_order_) append_sized(out, thread);
  append_varint(out, stack_order_.size());
  for (std::string_view stack : stack_order_) {
    append_varint(out, stack.size() / sizeof(uint64_t));
    uint64_t before = 0;
    for (size_t at = 0; at < stack.size(); at += sizeof(uint64_t)) {
      uint64_t address = 0;
      std::memcpy(&address, stack.data() + at, sizeof address);
      append_varint(out, to_zigzag(address - before));
      before = address;
    }
  }
  append_varint(out, string_order_.size());
  for (std::string_view text : string_order_) append_sized(out, text);
}

void EventBlock::append_columns(std::string& out) const {
  std::vector<uint64_t> times, threads, probes;
  uint64_t before = 0;
  ThreadPrediction threads_predicted;
  ProbePrediction probes_predicted;
  for (size_t i = 0; i < event_count_; ++i) {
    times.push_back(to_zigzag(times_[i] - before));
    before = times_[i];
    threads.push_back(event_threads_[i] == threads_predicted.expect(cpus_[i]) ? 0 : event_threads_[i] + uint64_t{1});
    threads_predicted.note(cpus_[i], event_threads_[i]);
    probes.push_back(probes_[i] == probes_predicted.expect(event_threads_[i]) ? 0 : probes_[i] + uint64_t{1});
    probes_predicted.note(event_threads_[i], probes_[i]);
  }
  append_column(out, times);
  append_column(out, cpus_);
  append_column(out, threads);
  append_column(out, probes);
  std::vector<uint64_t> errors(errors_.begin(), errors_.end());
  append_numbers(out, errors);
  append_column(out, kernel_stacks_);
  append_column(out, user_stacks_);
  for (const std::vector<Column>& columns : columns_)
    for (const Column& column : columns)
      if (!column.values.empty()) append_numbers(out, column.values);
}

void EventBlock::clear() {
  ++number_;
  event_count_ = size_ = 0;
  for (Texts* texts : {&threads_, &stacks_, &strings_}) texts->clear();
  for (auto* order : {&thread_order_, &stack_order_, &string_order_}) order->clear();
  times_.clear();
  for (auto* numbers : {&probes_, &cpus_, &event_threads_, &kernel_stacks_, &user_stacks_}) numbers->clear();
  errors_.clear();
  for (std::vector<Column>& columns : columns_)
    for (Column& column : columns) column.values.clear();
}

}  // namespace dscope
