// Sessions without compiler and printing: hand-made plans over the objects of bpf/, and a consumer that only collects
// records.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "contract/program_plan.h"
#include "contract/record_format.h"
#include "runtime/session/session.h"

namespace dscope::testing {

constexpr uint64_t millisecond = 1'000'000;  // in nanoseconds

// Words of map ds_globals that the test programs use.
enum Global { global_limit, global_count, global_pid, global_status, global_number, global_words = 8 };
// Clause number of records that stand for exit(value).
inline constexpr uint32_t clause_exit = 900;

struct TestRecord {
  ds_record_header header;
  uint64_t value;
};

// The records that the consumer of the latest session received. Reset by SessionTest.
struct ConsumerLog {
  std::vector<TestRecord> records;  // exit records are not kept
  std::function<void(const TestRecord&)> on_record;
  DropCounters drops;
  int passes = 0, interruptions = 0, finishes = 0;
  bool has_printed_aggregations = false;
  bool keeps_records = true;
  uint64_t count = 0;
  std::optional<int> exit_status;
  AggregationSource* source = nullptr;
  std::function<void()> on_finish, on_drops;

  std::vector<uint64_t> values(uint32_t clause) const;
};
extern ConsumerLog consumer_log;

class NullSymbolizer : public Symbolizer {
 public:
  std::string kernel_symbol(uint64_t, bool) override { return {}; }
  std::string kernel_module(uint64_t) override { return {}; }
  std::string user_symbol(uint32_t, uint64_t, bool) override { return {}; }
  std::string user_module(uint32_t, uint64_t) override { return {}; }
  uint64_t kernel_symbol_start(uint64_t address) override { return address; }
  uint64_t kernel_module_start(uint64_t address) override { return address; }
  uint64_t user_symbol_start(uint32_t, uint64_t address) override { return address; }
  uint64_t user_module_start(uint32_t, uint64_t address) override { return address; }
  bool is_tracer_frame(uint64_t) override { return false; }
};

class TestStream : public OutputStream {
 public:
  void write(std::string_view more) override { text += more; }
  void flush() override {}
  int error() const override { return error_number; }
  int error_number = 0;
  std::string text;
};

// A plan with ds_state, ds_counters, ds_ring and ds_globals.
ProgramPlan make_plan(uint32_t ring_bytes = 1 << 16);
BpfProgramPlan& add_program(ProgramPlan& plan, const std::string& symbol, Hook hook, uint64_t cookie = 0,
                            BpfContext context = BpfContext::RawTracepoint);
void set_global(ProgramPlan& plan, Global word, uint64_t value);
BpfObject read_object(const std::string& name);
Hook begin_hook();
Hook end_hook();

// Skips its tests if BPF programs cannot be loaded.
class SessionTest : public ::testing::Test {
 protected:
  void SetUp() override;
  Result<SessionResult> run(const ProgramPlan& plan, const std::string& object = "session");
  Result<SessionResult> run(const ProgramPlan& plan, Targets& targets, const std::string& object = "session");

  TestStream out_, messages_;
};

}  // namespace dscope::testing
