#include "tests/browser/canned_runs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace dscope::test {

namespace {

constexpr int64_t second = 1'000'000'000;
constexpr int64_t start_ns = 1'700'000'000 * second + 250'000'000;
using enum AggregationFunction;

// Distributions of the standard library differ between implementations.
class Dice {
 public:
  explicit Dice(uint32_t seed) : engine_(seed) {}
  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(engine_() % limit); }

 private:
  std::mt19937 engine_;
};

RunStart start_of(std::string command, std::string script, std::vector<PictureAggregation> aggregations) {
  return {.program_name = "dscope 0.1.0",
          .command_line = std::move(command),
          .script = std::move(script),
          .host = "build-7",
          .kernel = "Linux 6.18.5 x86_64",
          .start_ns = start_ns,
          .probes = {{"syscall", "vmlinux", "read", "entry"},
                     {"fbt", "vmlinux", "vfs_read", "entry"},
                     {"fbt", "vmlinux", "vfs_read", "return"},
                     {"syscall", "vmlinux", "read", "return"}},
          .aggregations = std::move(aggregations)};
}

PictureKey text(std::string name) { return {.kind = KeyKind::Text, .text = std::move(name), .frames = {}}; }

// "kernel:vmlinux`read" and so on, innermost first.
PictureKey stack(const std::vector<std::string>& names) {
  PictureKey key{.kind = KeyKind::Stack, .text = {}, .frames = {}};
  for (const std::string& name : names)
    key.frames.push_back({.text = name, .is_kernel = name.starts_with("vmlinux`") || name.starts_with("ext4`")});
  return key;
}

// Adds up what a run has traced, as the recorder does: updates have the values since the start.
class Tracing {
 public:
  explicit Tracing(RunStart start) : model_(std::move(start)), elements_(model_.aggregations().size()) {}

  uint32_t element(uint32_t aggregation, std::vector<PictureKey> keys) {
    update_.new_elements.push_back({.aggregation = aggregation, .keys = std::move(keys)});
    elements_[aggregation].emplace_back();
    return static_cast<uint32_t>(elements_[aggregation].size() - 1);
  }
  void add(uint32_t aggregation, uint32_t element, int64_t amount) {
    Value& value = elements_[aggregation][element];
    value.number += amount;
    value.is_changed = true;
  }
  void set(uint32_t aggregation, uint32_t element, int64_t number) {
    elements_[aggregation][element] = {.number = number, .buckets = {}, .is_changed = true};
  }
  void count(uint32_t aggregation, uint32_t element, int64_t low, int64_t high, int64_t amount) {
    Value& value = elements_[aggregation][element];
    value.buckets[{low, high}] += amount;
    value.is_changed = true;
  }
  RunUpdate& update() { return update_; }

  void end_interval(int64_t time) {
    for (uint32_t a = 0; a < elements_.size(); ++a)
      for (uint32_t i = 0; i < elements_[a].size(); ++i) {
        Value& value = elements_[a][i];
        if (!std::exchange(value.is_changed, false)) continue;
        ElementChange change{.aggregation = a, .element = i, .value = {}, .is_removed = false};
        if (value.buckets.empty()) change.value.numbers = {value.number};
        for (const auto& [bounds, amount] : value.buckets)
          change.value.buckets.push_back({.low = bounds.first, .high = bounds.second, .count = amount});
        update_.changes.push_back(std::move(change));
      }
    update_.time_ns = start_ns + time;
    model_.add(std::exchange(update_, {}));
  }
  RunModel end(int64_t time, RunCost cost, int status = 0) {
    update_.cost = cost;
    end_interval(time);
    model_.end({.time_ns = start_ns + time, .exit_status = status});
    return std::move(model_);
  }

 private:
  struct Value {
    int64_t number = 0;
    std::map<std::pair<int64_t, int64_t>, int64_t> buckets;
    bool is_changed = false;
  };
  RunModel model_;
  std::vector<std::vector<Value>> elements_;
  RunUpdate update_;
};

const char* const programs[] = {"cc1plus", "ld", "ninja", "bash", "cmake", "as", "python3", "systemd", "sshd", "rsync"};
const char* const calls[] = {"read",       "write",        "openat", "close",  "mmap",       "futex",
                             "newfstatat", "brk",          "lseek",  "poll",   "getdents64", "pread64",
                             "munmap",     "rt_sigaction", "access", "execve", "clone3",     "wait4"};

}  // namespace

RunModel number_run() {
  Tracing tracing{start_of(
      "dscope --report=calls.html -n 'syscall:::entry { @calls[execname, probefunc] = count(); ... }' -c 'ninja'",
      "syscall:::entry\n{\n\t@calls[execname, probefunc] = count();\n\t@bytes[execname] = sum(arg2);\n}\n",
      {{.name = "calls", .function = Count, .keys = {"execname", "probefunc"}},
       {.name = "bytes", .function = Sum, .keys = {"execname"}},
       {.name = "slowest", .function = Max, .keys = {"execname"}},
       {.name = "time", .function = Percentile, .keys = {"probefunc"}, .columns = {"p50", "p99"}},
       {.name = "all", .function = Count}})};
  Dice dice{1};
  for (const char* program : programs)
    for (const char* call : calls) tracing.element(0, {text(program), text(call)});
  for (uint32_t i = 0; i < 10; ++i) tracing.element(1, {text(programs[i])});
  for (uint32_t i = 0; i < 10; ++i) tracing.element(2, {text(programs[i])});
  for (uint32_t i = 0; i < 18; ++i) {
    uint32_t number = tracing.element(3, {text(calls[i])});
    int64_t middle = 200 + dice.below(5000);
    tracing.update().changes.push_back({.aggregation = 3,
                                        .element = number,
                                        .value = {.numbers = {middle, middle * (3 + dice.below(30))}, .buckets = {}}});
  }
  tracing.element(4, {});
  for (int64_t step = 1; step <= 120; ++step) {
    for (uint32_t i = 0; i < 180; ++i) {
      double wave = 1.2 + std::sin(static_cast<double>(step) / (4.0 + i % 7));
      uint32_t divisor = (1 + i % 18) * (1 + i / 18);
      auto amount = static_cast<int64_t>(wave * (240 + dice.below(120)) / divisor);
      if (amount == 0) continue;
      tracing.add(0, i, amount);
      tracing.add(4, 0, amount);
    }
    for (uint32_t i = 0; i < 10; ++i)
      tracing.add(1, i, int64_t{1'000'000'007} * (400'000 + dice.below(300'000)) / (i + 1));
    for (uint32_t i = 0; i < 10; ++i) tracing.set(2, i, 1000 * step + dice.below(100000));
    tracing.end_interval(step * second / 2);
  }
  return tracing.end(61 * second,
                     {.consumer_cpu_ns = 640'000'000, .program_cpu_ns = 1'310'000'000, .firings = 5'211'204});
}

namespace {

void count_latencies(Tracing& tracing, Dice& dice, int64_t step) {
  for (uint32_t i = 0; i < 6; ++i)
    for (uint32_t n = 0; n < 40 + 200 / (i + 1); ++n) {
      bool is_slow = dice.below(100) < 12 || (step > 80 && step < 110 && dice.below(3) == 0);
      uint32_t power = is_slow ? 20 + dice.below(3) + dice.below(2) : 11 + dice.below(3) + dice.below(3);
      int64_t low = int64_t{1} << power;
      tracing.count(0, i, low, low * 2, 1);
    }
  for (uint32_t n = 0; n < 60; ++n) {
    int64_t depth = dice.below(16) * dice.below(16) / 8;
    tracing.count(1, 0, depth, depth + 1, 1);
  }
  if (step % 7 == 0) tracing.count(1, 0, 32, std::numeric_limits<int64_t>::max(), 3);
  int64_t unit = dice.below(2) != 0 ? 1000 : 10000, digit = 1 + dice.below(9);
  tracing.count(2, 0, unit * digit, unit * (digit + 1), 1);
}

}  // namespace

RunModel distribution_run() {
  Tracing tracing{start_of("dscope --report=io.html -s tools/iolatency.d -c 'make -j4'",
                           "io:::start { self->t = timestamp; }\nio:::done /self->t/ { @latency[execname] = "
                           "quantize(timestamp - self->t); }\n",
                           {{.name = "latency", .function = Quantize, .keys = {"execname"}},
                            {.name = "depth", .function = Lquantize},
                            {.name = "size", .function = Llquantize}})};
  Dice dice{2};
  for (uint32_t i = 0; i < 6; ++i) tracing.element(0, {text(programs[i])});
  tracing.element(1, {});
  tracing.element(2, {});
  for (int64_t step = 1; step <= 180; ++step) {
    count_latencies(tracing, dice, step);
    tracing.end_interval(step * second / 2);
  }
  return tracing.end(90 * second, {.consumer_cpu_ns = 210'000'000});
}

namespace {

struct Callees {
  const char* function;
  std::vector<const char*> callees;  // the first ones are called most
};

// Functions of a compiler with an interpreter, from main() down into the kernel.
const std::vector<Callees>& call_graph() {
  static const std::vector<Callees> graph = {
      {"libc.so.6`__libc_start_main", {"cc1plus`main"}},
      {"cc1plus`main", {"cc1plus`compile_file", "cc1plus`compile_file", "cc1plus`run_plugins", "cc1plus`write_output"}},
      {"cc1plus`compile_file", {"cc1plus`Parser::statement", "cc1plus`Optimizer::run", "cc1plus`Emitter::emit"}},
      {"cc1plus`Parser::statement", {"cc1plus`Parser::expression", "cc1plus`Parser::statement", "cc1plus`Scope::find"}},
      {"cc1plus`Parser::expression",
       {"cc1plus`Parser::expression", "cc1plus`Lexer::next [inlined] (lexer.cpp:41)", "cc1plus`Scope::find"}},
      {"cc1plus`Lexer::next [inlined] (lexer.cpp:41)", {"cc1plus`Lexer::fill", "libc.so.6`memchr"}},
      {"cc1plus`Lexer::fill", {"libc.so.6`read"}},
      {"libc.so.6`read", {"vmlinux`entry_SYSCALL_64"}},
      {"vmlinux`entry_SYSCALL_64", {"vmlinux`do_syscall_64"}},
      {"vmlinux`do_syscall_64", {"vmlinux`ksys_read"}},
      {"vmlinux`ksys_read", {"vmlinux`vfs_read"}},
      {"vmlinux`vfs_read", {"ext4`ext4_file_read_iter", "vmlinux`rw_verify_area"}},
      {"ext4`ext4_file_read_iter", {"vmlinux`filemap_read"}},
      {"vmlinux`filemap_read", {"vmlinux`copy_page_to_iter", "vmlinux`filemap_get_pages"}},
      {"cc1plus`Scope::find", {"cc1plus`Map::find [inlined] (map.h:88)", "libc.so.6`strcmp"}},
      {"cc1plus`Optimizer::run",
       {"cc1plus`Optimizer::fold_constants", "cc1plus`Optimizer::inline_calls", "libc.so.6`malloc"}},
      {"cc1plus`Optimizer::inline_calls",
       {"cc1plus`Graph::visit", "cc1plus`std::vector<Node>::push_back [inlined] (stl_vector.h:1281)"}},
      {"cc1plus`Graph::visit", {"cc1plus`Graph::visit", "cc1plus`Optimizer::fold_constants"}},
      {"cc1plus`std::vector<Node>::push_back [inlined] (stl_vector.h:1281)", {"libc.so.6`malloc"}},
      {"libc.so.6`malloc", {"libc.so.6`sysmalloc", "0x7f3a12345678"}},
      {"cc1plus`run_plugins",
       {"perf-4242.map`LazyCompile:*render app.js:10", "perf-4242.map`LazyCompile:*check app.js:99"}},
      {"perf-4242.map`LazyCompile:*render app.js:10",
       {"perf-4242.map`LazyCompile:*check app.js:99", "perf-4242.map`Builtins_KeyedLoadIC"}},
      {"cc1plus`write_output", {"cc1plus`Emitter::emit", "libc.so.6`read"}},
  };
  return graph;
}

// Random calls from the outermost frame on, outermost first.
std::vector<std::string> random_calls(Dice& dice) {
  std::vector<std::string> frames{call_graph().front().function};
  while (frames.size() < 28) {
    auto function = std::ranges::find(call_graph(), frames.back(), &Callees::function);
    if (function == call_graph().end() || (frames.size() > 4 && dice.below(9) == 0)) break;
    size_t count = function->callees.size();
    frames.emplace_back(function->callees[std::min(dice.below(static_cast<uint32_t>(count)),
                                                   dice.below(static_cast<uint32_t>(count) + 1))]);
  }
  return frames;
}

// The stacks of a process and of the kernel, innermost frame first.
std::pair<PictureKey, PictureKey> random_stacks(Dice& dice) {
  std::vector<std::string> frames = random_calls(dice);
  auto is_user = [](const std::string& name) { return !name.starts_with("vmlinux`") && !name.starts_with("ext4`"); };
  auto kernel = std::ranges::find_if_not(frames, is_user);
  std::vector<std::string> user{frames.begin(), kernel}, inner{kernel, frames.end()};
  return {stack({user.rbegin(), user.rend()}), stack({inner.rbegin(), inner.rend()})};
}

}  // namespace

RunModel stack_run(uint32_t seed) {
  Tracing tracing{start_of(
      "dscope --report=profile.html -n 'profile-997 { @[execname, ustack(), stack()] = count(); }' -x duration=40s",
      "profile-997 { @[execname, ustack(), stack()] = count(); }",
      {{.name = "_", .function = Count, .keys = {"execname", "ustack()", "stack()"}}})};
  Dice dice{seed};
  std::map<std::string, uint32_t> numbers;
  auto sample = [&](const char* program) {
    auto [user, kernel] = random_stacks(dice);
    std::string name = program;
    for (const PictureKey* key : {&user, &kernel})
      for (const PictureFrame& frame : key->frames) name += ";" + frame.text;
    auto [known, is_new] = numbers.try_emplace(name, 0);
    if (is_new) known->second = tracing.element(0, {text(program), std::move(user), std::move(kernel)});
    tracing.add(0, known->second, 1);
  };
  for (int64_t step = 1; step <= 2000; ++step) {
    bool is_ticking = (step + step / 90) % 50 < 7, is_busy = step > 1200 && step < 1450;
    uint32_t count = dice.below(5) + (is_ticking ? 9 : 0) + (is_busy ? 12 : 0);
    for (uint32_t n = 0; n < count; ++n)
      sample(programs[is_ticking && !is_busy ? 3 * dice.below(2) : dice.below(4) * dice.below(2)]);
    tracing.end_interval(step * second / 50);
  }
  return tracing.end(40 * second + 1,
                     {.consumer_cpu_ns = 480'000'000, .program_cpu_ns = 95'000'000, .firings = 79'760});
}

RunModel row_run() {
  Tracing tracing{start_of("dscope --report=rows.html -F -s trace.d", "syscall::read: { printf(\"%d\", arg0); }", {})};
  Dice dice{4};
  const char* const texts[] = {"  -> read", "    -> vfs_read", "    <- vfs_read", "  <- read"};
  for (uint32_t i = 0; i < 20'000; ++i) {
    uint32_t thread = i / 4 % 10;
    PictureRow row{.time_ns = start_ns + int64_t{i} * 1'500'000,
                   .monotonic_ns = 1'000'000'000 + uint64_t{i} * 1'500'000,
                   .probe = i % 4,
                   .cpu = dice.below(4),
                   .pid = 4000 + thread,
                   .tid = 4000 + thread,
                   .execname = programs[thread],
                   .text = texts[i % 4]};
    if (i % 4 == 3) row.text += "                                    returns " + std::to_string(dice.below(65536));
    if (i % 500 == 0) row.text += "\n  second line of the row";
    tracing.update().rows.push_back(std::move(row));
  }
  tracing.update().lost_rows = 17;
  for (int64_t i = 0; i < 3; ++i)
    tracing.update().faults.push_back(
        {.time_ns = start_ns + i * second,
         .probe = 0,
         .text =
             "error on enabled probe ID 1 (ID 42: syscall:vmlinux:read:entry): invalid address (0x10) in action #1"});
  tracing.update().drops.push_back(
      {.time_ns = start_ns + second, .text = "2317 drops on CPU 0", .kind = "DTRACEDROP_PRINCIPAL", .count = 2317});
  return tracing.end(30 * second, {.consumer_cpu_ns = 900'000'000, .program_cpu_ns = 20'000'000, .firings = 20'000}, 1);
}

RunModel hostile_run() {
  const std::string evil =
      "</script><script>globalThis.injected = 1</script><!-- <img src=x onerror=injected=1> \xE2\x80\xA8 \x1b[31m "
      "\xff\x01 'q\" & =1+1 ${injected=1}";
  RunStart start = start_of(evil, evil + "\n" + evil,
                            {{.name = evil, .function = Count, .keys = {evil, "ustack()"}},
                             {.name = evil, .function = Quantize, .keys = {evil}},
                             {.name = "p", .function = Percentile, .keys = {evil}, .columns = {evil}}});
  start.program_name = start.host = start.kernel = evil;
  start.probes = {{evil, evil, evil, evil}};
  Tracing tracing{std::move(start)};
  tracing.element(0, {text(evil), stack({evil, "vmlinux`" + evil, evil + " [inlined]"})});
  tracing.element(0, {text("__proto__"), stack({"constructor", "__proto__"})});
  tracing.element(1, {text(evil)});
  tracing.element(1, {text("__proto__")});
  tracing.element(2, {text(evil)});
  tracing.update().changes.push_back({.aggregation = 2, .element = 0, .value = {.numbers = {7}, .buckets = {}}});
  tracing.update().rows.push_back({.time_ns = start_ns, .execname = evil, .text = evil});
  tracing.update().faults.push_back({.time_ns = start_ns, .probe = 0, .text = evil});
  tracing.update().drops.push_back({.time_ns = start_ns, .text = evil, .kind = evil, .count = 1});
  for (int64_t step = 1; step <= 5; ++step) {
    for (uint32_t i = 0; i < 2; ++i) {
      tracing.add(0, i, step);
      tracing.count(1, i, step * 8, step * 16, step);
    }
    tracing.end_interval(step * second);
  }
  return tracing.end(6 * second, {.consumer_cpu_ns = 1});
}

RunModel large_run() {
  Tracing tracing{start_of("dscope --report=large.html -n 'profile-997 { @[ustack()] = count(); }'",
                           "profile-997 { @[ustack()] = count(); }",
                           {{.name = "_", .function = Count, .keys = {"ustack()"}}})};
  Dice dice{6};
  const char* const words[] = {"parse", "emit", "visit", "Node", "find", "Type", "lower", "Value", "resolve", "update"};
  auto name = [&](uint32_t i) {
    return std::string("libLLVM.so`llvm::") + words[i % 10] + "::" + words[i / 10 % 10] + "_" + words[i / 100 % 10] +
           std::to_string(i);
  };
  for (uint32_t i = 0; i < 2500; ++i) {
    std::vector<std::string> frames;
    for (uint32_t k = 0; k < 20; ++k) frames.push_back(name(i * 20 + k));
    for (uint32_t k = 12; k > 0; --k) frames.push_back(name(50'000 + k * 64 + i % (1U << (k / 2))));
    tracing.element(0, {stack(frames)});
    tracing.add(0, i, 1 + dice.below(200));
  }
  tracing.end_interval(second);
  return tracing.end(10 * second, {.consumer_cpu_ns = 480'000'000});
}

RunModel empty_run() {
  return RunModel{start_of("dscope -n BEGIN", "", {{.name = "never", .function = Count, .keys = {"pid"}}})};
}

}  // namespace dscope::test
