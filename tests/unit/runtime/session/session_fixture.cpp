#include "session_fixture.h"

#include <cstring>
#include <fstream>
#include <iterator>

namespace dscope {
namespace testing {

ConsumerLog consumer_log;

namespace {

class LoggingConsumer : public Consumer {
 public:
  explicit LoggingConsumer(AggregationSource& source) { consumer_log.source = &source; }
  void begin_pass() override { ++consumer_log.passes; }
  void record(std::span<const std::byte> bytes) override {
    ASSERT_EQ(bytes.size(), sizeof(TestRecord));
    ++consumer_log.count;
    if (!consumer_log.keeps_records) return;
    TestRecord record;
    std::memcpy(&record, bytes.data(), sizeof record);
    if (record.header.clause == clause_exit) consumer_log.exit_status = static_cast<int>(record.value);
    else consumer_log.records.push_back(record);
    if (consumer_log.on_record) consumer_log.on_record(record);
  }
  void report_drops(const DropCounters& totals) override {
    consumer_log.drops = totals;
    if (consumer_log.on_drops) consumer_log.on_drops();
  }
  void interrupted() override { ++consumer_log.interruptions; }
  void finish(bool print_aggregations) override {
    ++consumer_log.finishes;
    consumer_log.has_printed_aggregations = print_aggregations;
    if (consumer_log.on_finish) consumer_log.on_finish();
  }
  std::optional<int> exit_status() const override { return consumer_log.exit_status; }
  const OptionValues& options() const override { return options_; }

 private:
  OptionValues options_;
};

void put_word(std::vector<uint8_t>& bytes, size_t word, uint64_t value) {
  std::memcpy(bytes.data() + word * sizeof value, &value, sizeof value);
}

}  // namespace

std::vector<uint64_t> ConsumerLog::values(uint32_t clause) const {
  std::vector<uint64_t> result;
  for (const TestRecord& record : records) {
    if (record.header.clause == clause) result.push_back(record.value);
  }
  return result;
}

ProgramPlan make_plan(uint32_t ring_bytes) {
  ProgramPlan plan;
  plan.maps.push_back({.name = "ds_ring", .kind = MapKind::RingBuffer, .max_entries = ring_bytes});
  plan.maps.push_back({.name = "ds_state",
                       .kind = MapKind::Array,
                       .key_size = 4,
                       .value_size = sizeof(ds_state),
                       .max_entries = 1,
                       .is_direct = true,
                       .is_mmapable = true});
  plan.maps.push_back({.name = "ds_counters",
                       .kind = MapKind::PerCpuArray,
                       .key_size = 4,
                       .value_size = sizeof(ds_counters),
                       .max_entries = 1});
  plan.maps.push_back({.name = "ds_globals",
                       .kind = MapKind::Array,
                       .key_size = 4,
                       .value_size = global_words * 8,
                       .max_entries = 1,
                       .is_direct = true,
                       .is_mmapable = true,
                       .initial = std::vector<uint8_t>(global_words * 8)});
  return plan;
}

void set_global(ProgramPlan& plan, Global word, uint64_t value) {
  for (MapPlan& map : plan.maps) {
    if (map.name == "ds_globals") put_word(map.initial, word, value);
  }
}

BpfProgramPlan& add_program(ProgramPlan& plan, const std::string& symbol, Hook hook, uint64_t cookie,
                            BpfContext context) {
  plan.programs.push_back({.symbol = symbol,
                           .context = context,
                           .row_source = cookie ? RowSource::Cookie : RowSource::Constant,
                           .attachments = {{.hook = std::move(hook), .cookie = cookie}},
                           .name = "test:::" + symbol});
  return plan.programs.back();
}

BpfObject read_object(const std::string& name) {
  std::ifstream file(DSCOPE_TEST_OBJECTS "/" + name + ".bpf.o", std::ios::binary);
  return {.bytes = {std::istreambuf_iterator<char>(file), {}}};
}

Hook begin_hook() { return HookTestRun{.role = HookTestRun::Role::Begin}; }
Hook end_hook() { return HookTestRun{.role = HookTestRun::Role::End}; }

void SessionTest::SetUp() {
  consumer_log = {};
  if (std::string reason = why_not_privileged(); !reason.empty()) GTEST_SKIP() << reason;
}

Result<SessionResult> SessionTest::run(const ProgramPlan& plan, const std::string& object) {
  DS_TRY(std::unique_ptr<Targets> targets, Targets::create({}, {.evaltime = "exec"}));
  return run(plan, *targets, object);
}

Result<SessionResult> SessionTest::run(const ProgramPlan& plan, Targets& targets, const std::string& object) {
  ProgramPlan running = plan;
  DS_TRY(std::unique_ptr<Session> session, Session::load(running, read_object(object), {}));
  NullSymbolizer symbols;
  return session->run(targets, symbols, out_, messages_);
}

}  // namespace testing

// Replaces the printing consumer at link time.
std::unique_ptr<Consumer> Consumer::create(const ProgramPlan&, ConsumerSettings, AggregationSource& source, Symbolizer&,
                                           OutputStream&, OutputStream&) {
  return std::make_unique<testing::LoggingConsumer>(source);
}

}  // namespace dscope
