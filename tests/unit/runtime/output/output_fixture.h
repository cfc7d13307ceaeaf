// Canned runs for the consumer: build a plan and its records, feed the records, compare the output.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "runtime/format/capture_stream.h"
#include "runtime/output/consumer.h"

namespace dscope::test {

// Lays out values one after the other and describes them by fields: a record or a key.
class Layout {
 public:
  explicit Layout(size_t start = 0) : bytes_(start) {}

  template <typename T>
  Field integer(T value, bool is_signed = std::is_signed_v<T>) {
    Field field{.kind = FieldKind::Integer, .is_signed = is_signed};
    return place(field, &value, sizeof value);
  }
  Field string(std::string text, uint32_t size) {
    text.resize(size);
    return place({.kind = FieldKind::String}, text.data(), size);
  }
  Field raw(std::string bytes, bool is_char_array = false) {
    return place({.kind = FieldKind::Bytes, .is_char_array = is_char_array}, bytes.data(),
                 static_cast<uint32_t>(bytes.size()));
  }
  Field probe_name(uint32_t row, ProbePart part) {
    return place({.kind = FieldKind::ProbeName, .probe_part = part}, &row, sizeof row);
  }
  Field stack(std::vector<uint64_t> pcs, uint32_t frames = 0) {
    return place({.kind = FieldKind::Stack, .frames = frames}, pcs.data(), static_cast<uint32_t>(pcs.size() * 8));
  }
  Field user_stack(uint64_t tgid, std::vector<uint64_t> pcs, uint32_t frames = 0) {
    pcs.insert(pcs.begin(), tgid);
    return place({.kind = FieldKind::UserStack, .frames = frames}, pcs.data(), static_cast<uint32_t>(pcs.size() * 8));
  }
  Field kernel_address(uint64_t address, Action symbol) {
    return place({.kind = FieldKind::KernelAddr, .symbol = symbol}, &address, 8);
  }
  Field user_address(uint64_t tgid, uint64_t address, Action symbol) {
    uint64_t words[] = {tgid, address};
    return place({.kind = FieldKind::UserAddr, .symbol = symbol}, words, sizeof words);
  }
  // One byte outside the fields, like the "this action ran" marks.
  uint32_t mark(bool value) { return place({}, &value, 1).offset; }

  std::vector<std::byte> bytes() const {
    std::vector<std::byte> padded = bytes_;
    padded.resize((padded.size() + 7) / 8 * 8);
    return padded;
  }

 private:
  Field place(Field field, const void* data, uint32_t size) {
    uint32_t alignment = size >= 8 || field.kind == FieldKind::String ? 8 : size;
    bytes_.resize((bytes_.size() + alignment - 1) / alignment * alignment);
    field.offset = static_cast<uint32_t>(bytes_.size());
    field.size = size;
    bytes_.resize(bytes_.size() + size);
    std::memcpy(bytes_.data() + field.offset, data, size);
    return field;
  }
  std::vector<std::byte> bytes_;
};

// Parses a format string as the compiler does, without its checks. Each conversion consumes the next field. A length
// modifier (hlLw) may precede the conversion letter.
FormatPlan parse_format(const std::string& text);

class FakeSource final : public AggregationSource {
 public:
  uint32_t cpus = 2;
  std::map<uint32_t, std::vector<AggregationElement>> elements;
  std::map<uint32_t, uint64_t> generations;
  std::map<uint32_t, CpuValues> no_room;
  std::vector<std::pair<uint32_t, std::vector<std::byte>>> removed;
  int reads = 0;
  std::function<void()> before_removal;

  uint32_t cpu_count() const override { return cpus; }
  CpuValues overflow(uint32_t id) const override { return no_room.contains(id) ? no_room.at(id) : CpuValues{}; }
  Result<std::vector<AggregationElement>> read(uint32_t id) override {
    ++reads;
    return elements[id];
  }
  Result<CpuValues> remove(uint32_t id, std::span<const std::byte> key) override {
    if (before_removal) before_removal();
    std::vector<std::byte> bytes(key.begin(), key.end());
    CpuValues values;
    removed.emplace_back(id, bytes);
    std::erase_if(elements[id], [&](const AggregationElement& element) {
      if (element.key == bytes) values = element.values;
      return element.key == bytes;
    });
    return values;
  }
  uint64_t next_generation(uint32_t id) override { return ++generations[id]; }
  uint64_t generation(uint32_t id) const override {
    auto found = generations.find(id);
    return found == generations.end() ? 0 : found->second;
  }

  // Sets the words (data and state) of one CPU.
  void put(uint32_t id, const std::vector<std::byte>& key, uint32_t cpu, const std::vector<int64_t>& words);
  // Sets the value of min() or max() of the current generation on one CPU.
  void put_extreme(uint32_t id, const std::vector<std::byte>& key, uint32_t cpu, int64_t value);
};

// Kernel: 0x...1000-0x...1fff vfs_read, 0x...2000 ksys_read in vmlinux; 0x...3000 ext4_sync in ext4; 0x...9000
// bpf_prog_x, tracer code. User processes 42 and 142: 0x4000 main, 0x5000 helper in prog; libc.so.6 from 0x7000 without
// symbols; no code at 0xdead.
class FakeSymbolizer : public Symbolizer {
 public:
  std::string kernel_symbol(uint64_t address, bool with_offset) override;
  std::string kernel_module(uint64_t address) override;
  std::string user_symbol(uint32_t tgid, uint64_t address, bool with_offset) override;
  std::string user_module(uint32_t tgid, uint64_t address) override;
  uint64_t kernel_symbol_start(uint64_t address) override;
  uint64_t kernel_module_start(uint64_t address) override;
  uint64_t user_symbol_start(uint32_t tgid, uint64_t address) override;
  uint64_t user_module_start(uint32_t tgid, uint64_t address) override;
  bool is_tracer_frame(uint64_t address) override;
  bool may_be_code(uint32_t, uint64_t address) override { return address != 0xdead; }
};
constexpr uint64_t kernel_base = 0xffffffff81000000;

// A clause and one of its records.
struct CannedClause {
  ClausePlan plan;
  Layout layout{sizeof(ds_record_header)};
  uint32_t probe_row = 0;
  uint32_t cpu = 0;
  uint32_t speculation = 0;
  bool is_added = false;  // already part of the plan

  // Adds an action whose fields come from `layout`.
  CannedClause& action(Action id, std::vector<Field> fields = {}) {
    plan.actions.push_back({.action = id, .fields = std::move(fields)});
    return *this;
  }
  CannedClause& on(std::vector<uint32_t> aggregations) {
    plan.actions.back().aggregations = std::move(aggregations);
    return *this;
  }
};

class OutputTest : public ::testing::Test {
 protected:
  OutputTest();

  uint32_t add_probe(const std::string& provider, const std::string& module, const std::string& function,
                     const std::string& name);
  CannedClause clause(uint32_t probe_row = 0, bool has_record = true);
  int32_t add_format(const std::string& text);
  // An aggregation with keys like those of `keys`. Sets has_state_word and generations as the compiler does.
  uint32_t add_aggregation(AggregationFunction function, std::vector<Field> keys = {}, uint32_t data_words = 1);
  void set(OptionId option, int64_t value = 1) { plan.options.set_number(option, value); }

  // Adds the clause to the plan. With several clauses, add all of them before the first record is fed.
  void add(CannedClause& canned);
  // Feeds the record. If its clause is not in the plan yet, adds it and creates a new consumer.
  void feed(CannedClause& canned);
  void start_pass() { consumer().begin_pass(); }
  // Returns the output so far and clears it.
  std::string output() { return out.take(); }
  // The output of one clause.
  std::string print(CannedClause canned) {
    feed(canned);
    return output();
  }
  // The output of printf(format, fields) in quiet mode.
  std::string print_format(const std::string& format, std::function<std::vector<Field>(Layout&)> fields);
  // The output at the end of the run.
  std::string finish(bool print_aggregations = true) {
    consumer().finish(print_aggregations);
    return output();
  }
  Consumer& consumer();
  void restart() { consumer_.reset(); }

  ProgramPlan plan;
  ConsumerSettings settings;
  FakeSource source;
  FakeSymbolizer symbols;
  CaptureStream out, messages;

 private:
  std::unique_ptr<Consumer> consumer_;
};

}  // namespace dscope::test
