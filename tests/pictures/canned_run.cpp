#include "tests/pictures/canned_run.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <utility>

namespace dscope::test {

namespace {

constexpr int64_t second = 1'000'000'000;
constexpr int64_t start_ns = 1'700'000'000 * second;
constexpr uint64_t start_monotonic_ns = 5000 * static_cast<uint64_t>(second);
constexpr int update_count = 40;

enum Probe : uint32_t { ReadEntry, ReadReturn, WriteEntry, GcStart, GcDone, IoStart, IoDone, Tick, Profile };
enum Clause : uint32_t { Sets = 7, Clears };
enum Aggregation : uint32_t { Samples, Latency, Calls, Average, Percentiles };

// A small generator, so that the run is the same everywhere.
class Numbers {
 public:
  uint32_t below(uint32_t limit) {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<uint32_t>((state_ >> 33) % limit);
  }

 private:
  uint64_t state_ = 7;
};

RunStart make_start() {
  RunStart start;
  start.program_name = "dscope 0.1";
  start.command_line = "dscope -s 'all.d' </script> \"]]>\"";
  start.script = "profile-997 { @[stack(), ustack(), execname] = count(); }\n<script>alert(1)</script>\n";
  start.host = "host<b>";
  start.kernel = "Linux 6.18.0 x86_64";
  start.start_ns = start_ns;
  start.start_monotonic_ns = start_monotonic_ns;
  start.probes = {{"syscall", "vmlinux", "read", "entry"},
                  {"syscall", "vmlinux", "read", "return"},
                  {"syscall", "vmlinux", "write", "entry"},
                  {"vm1234", "libvm.so", "collect()", "gc-start"},
                  {"vm1234", "libvm.so", "collect()", "gc-done"},
                  {"io", "", "", "start"},
                  {"io", "", "", "done"},
                  {"profile", "", "", "tick-1s"},
                  {"profile", "", "", "profile-997"}};
  start.aggregations = {
      {.name = "samples", .function = AggregationFunction::Count, .keys = {"execname", "stack()", "ustack()"}},
      {.name = "latency", .function = AggregationFunction::Quantize, .keys = {"execname"}},
      {.name = "_", .function = AggregationFunction::Count, .keys = {"execname", "probefunc"}},
      {.name = "average<&>", .function = AggregationFunction::Avg, .keys = {"pid"}},
      {.name = "tails", .function = AggregationFunction::Percentile, .keys = {"execname"}, .columns = {"p50", "p99"}}};
  start.intervals = {{.clause = Sets, .name = "waiting", .is_begin = true}, {.clause = Clears, .name = "waiting"}};
  return start;
}

PictureKey text(std::string value) { return {.kind = KeyKind::Text, .text = std::move(value)}; }

const std::vector<std::string>& programs() {
  static const std::vector<std::string> names{"nginx", "postgres", "<script>alert(1)</script>", "bad\x01\xff\x1b[31m",
                                              "a\"b'c&d;e\n"};
  return names;
}

std::vector<PictureFrame> kernel_stack(uint32_t variant) {
  if (variant % 5 == 4) return {};
  static const std::array<const char*, 4> leaves{"copy_to_iter", "ext4_file_read_iter", "folio_wait_bit", "mutex_lock"};
  return {{std::string("vmlinux`") + leaves[variant % 4], true},
          {"vmlinux`vfs_read", true},
          {"vmlinux`ksys_read", true},
          {"vmlinux`do_syscall_64", true}};
}

std::vector<PictureFrame> user_stack(uint32_t variant) {
  std::vector<PictureFrame> frames{{"libc.so.6`read", false}};
  if (variant % 3 == 0) frames.push_back({"server`parse_header [inlined] (http.c:120)", false});
  if (variant % 3 == 1) frames.push_back({"perf-1234.map`LHandler;::handle<T>(\"&\")", false});
  for (uint32_t i = 0; i < variant % 7; ++i) frames.push_back({"server`descend_" + std::to_string(i), false});
  frames.push_back({"server`main", false});
  return frames;
}

constexpr uint32_t stack_count = 60, table_count = 45, average_count = 30;

std::vector<NewElement> make_elements() {
  std::vector<NewElement> elements;
  for (uint32_t i = 0; i < stack_count; ++i)
    elements.push_back({Samples,
                        {text(programs()[i % 3]),
                         {.kind = KeyKind::Stack, .frames = kernel_stack(i)},
                         {.kind = KeyKind::Stack, .frames = user_stack(i)}}});
  for (const std::string& program : programs()) elements.push_back({Latency, {text(program)}});
  for (uint32_t i = 0; i < table_count; ++i)
    elements.push_back({Calls, {text(programs()[i % 5]), text("call_" + std::to_string(i))}});
  for (uint32_t i = 0; i < average_count; ++i)
    elements.push_back({Average, {{.kind = KeyKind::Number, .text = std::to_string(100 + i)}}});
  for (const std::string& program : programs()) elements.push_back({Percentiles, {text(program)}});
  return elements;
}

int64_t hump(int bucket, int middle, int height) { return std::max(0, height - std::abs(bucket - middle)); }

// Two humps, the upper of which moves with time.
std::vector<PictureBucket> make_buckets(uint32_t element, int update) {
  std::vector<PictureBucket> buckets;
  for (int i = 6; i < 24; ++i) {
    int64_t count = 0;
    for (int step = 0; step <= update; ++step)
      count += (hump(i, 9, 3) * 40 + hump(i, 13 + step / 6, 3) * 25) / (element + 1);
    if (count != 0) buckets.push_back({.low = int64_t{1} << i, .high = int64_t{1} << (i + 1), .count = count});
  }
  return buckets;
}

std::vector<ElementChange> make_changes(int update) {
  std::vector<ElementChange> changes;
  auto change = [&](uint32_t aggregation, uint32_t element, std::vector<int64_t> numbers) {
    changes.push_back({.aggregation = aggregation, .element = element, .value = {.numbers = std::move(numbers)}});
  };
  int64_t number = update + 1;
  for (uint32_t i = 0; i < stack_count; ++i) change(Samples, i, {number * (1 + i * i % 97)});
  for (uint32_t i = 0; i < programs().size(); ++i)
    changes.push_back({.aggregation = Latency, .element = i, .value = {.buckets = make_buckets(i, update)}});
  for (uint32_t i = 0; i < table_count; ++i) change(Calls, i, {number * (i + 1) * 37});
  for (uint32_t i = 0; i < average_count; ++i) change(Average, i, {100 * int64_t{i} + update % 7 - 20});
  for (uint32_t i = 0; i < programs().size(); ++i) change(Percentiles, i, {50 * (i + 1), 900 * (i + 1) + update});
  return changes;
}

class RowMaker {
 public:
  RowMaker(std::vector<PictureRow>& rows, int update) : rows_(rows), update_(update) {}

  void add(uint32_t probe, uint64_t offset_ns, uint32_t pid, uint32_t tid, std::string row_text, uint32_t clause = 0) {
    uint64_t since_start = static_cast<uint64_t>(update_) * second + offset_ns;
    rows_.push_back({.time_ns = start_ns + (update_ + 1) * second,
                     .monotonic_ns = start_monotonic_ns + since_start,
                     .probe = probe,
                     .clause = clause,
                     .cpu = tid % 4,
                     .pid = pid,
                     .tid = tid,
                     .execname = pid == 0 ? "swapper/1" : programs()[pid % programs().size()],
                     .text = std::move(row_text)});
  }

 private:
  std::vector<PictureRow>& rows_;
  int update_;
};

void add_rows(RunUpdate& update, int number, Numbers& numbers) {
  RowMaker rows{update.rows, number};
  for (uint32_t thread = 0; thread < 6; ++thread) {
    uint32_t pid = 1000 + 11 * (thread / 2), tid = pid + thread % 2;
    uint64_t begin = 1'000'000 * (1 + thread) + numbers.below(1000);
    rows.add(GcStart, begin, pid, tid, "generation 0\n");
    rows.add(ReadEntry, begin + 1000, pid, tid, "read fd 3\n");
    rows.add(ReadEntry, begin + 1000, pid, tid, "the same firing, another clause\n", 1);
    rows.add(WriteEntry, begin + 1500, pid, tid, "no return probe\n");
    if (numbers.below(4) != 0) rows.add(ReadReturn, begin + 5000, pid, tid, "= 4096\n");
    if (numbers.below(4) != 0) rows.add(GcDone, begin + 9000, pid, tid, "freed <1> & \"2\"\n");
    rows.add(IoStart, begin + 9500, pid, tid, "");
  }
  // Rows of another CPU, read later: earlier than those above, and some earlier than the end of the last update.
  rows.add(IoDone, 200'000, 0, 0, "sda 4096\n");
  rows.add(Tick, 0, 1022, 1022, "\n  stack of the tick:\n    vmlinux`a\n    vmlinux`b\n");
  update.rows.back().monotonic_ns -= 990'000'000;
  rows.add(ReadReturn, 100'000, 1000, 1000, "a return without its entry\n");
  // A thread-local variable is set by one clause and cleared by another.
  rows.add(IoStart, 300'000, 1022, 1022, "waits\n", Sets);
  rows.add(Profile, 301'000, 1022, 1022, "\n  the stack\n");
  auto variant = static_cast<uint32_t>(number);
  update.rows.back().stack = kernel_stack(variant);
  for (PictureFrame& frame : user_stack(variant)) update.rows.back().stack.push_back(std::move(frame));
  rows.add(Tick, 303'000, 1022, 1022, "has waited\n", Clears);
  rows.add(Profile, 304'000, 0, 0, "\n  the stack of an interrupt\n");
  update.rows.back().stack = {{"0xffffffff81000000", true}};
}

void add_notices(RunUpdate& update, int number) {
  if (number == 10)
    update.drops.push_back(
        {.time_ns = update.time_ns - 1, .text = "2 drops on CPU 0", .kind = "DTRACEDROP_PRINCIPAL", .count = 2});
  if (number == 12) update.lost_rows = 17;
  if (number == 20)
    update.faults.push_back(
        {.time_ns = update.time_ns - 5, .probe = Tick, .text = "invalid address (0x0) in action #1"});
}

}  // namespace

RunModel CannedRun::model() const {
  RunModel model{start};
  for (const RunUpdate& update : updates) model.add(update);
  model.end(end);
  return model;
}

CannedRun canned_run(size_t more_rows) {
  CannedRun run{.start = make_start(), .end = {.time_ns = start_ns + (update_count + 1) * second, .exit_status = 0}};
  Numbers numbers;
  for (int i = 0; i < update_count; ++i) {
    RunUpdate update{.time_ns = start_ns + (i + 1) * second};
    if (i == 0) update.new_elements = make_elements();
    update.changes = make_changes(i);
    add_rows(update, i, numbers);
    for (size_t row = 0; row < more_rows; ++row) {
      auto pid = static_cast<uint32_t>(2000 + row % 50);
      RowMaker{update.rows, i}.add(Tick, 100'000'000 + row * 100, pid, pid, "one more row\n");
    }
    add_notices(update, i);
    run.updates.push_back(std::move(update));
  }
  return run;
}

CannedRun canned_run() { return canned_run(0); }

}  // namespace dscope::test
