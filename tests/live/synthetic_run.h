// A run that never happened, for tests of the live view: system calls, latencies, stacks and rows by a fixed sequence
// of numbers, so that every run is the same.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "pictures/run_model.h"

namespace dscope::test {

class SyntheticRun {
 public:
  static constexpr int64_t start_ns = 1'700'000'000'000'000'000;
  static constexpr int64_t interval_ns = 500'000'000;
  enum Aggregation : uint32_t { Calls, Latency, Stacks, Size, Response, Anonymous };

  // `call_count`: the number of elements of @calls.
  explicit SyntheticRun(size_t call_count = 24) : call_count_(call_count) {}

  static RunStart start() {
    RunStart start;
    start.command_line = "dscope --live -s demo.d";
    start.script = "syscall:::entry { @calls[execname, probefunc] = count(); }";
    start.start_ns = start_ns;
    start.probes = {{"syscall", "vmlinux", "read", "entry"}};
    start.aggregations = {
        {.name = "calls", .function = AggregationFunction::Count, .keys = {"execname", "probefunc"}},
        {.name = "latency", .function = AggregationFunction::Quantize, .keys = {"execname"}},
        {.name = "stacks", .function = AggregationFunction::Count, .keys = {"execname", "stack()"}},
        {.name = "size", .function = AggregationFunction::Avg, .keys = {"execname"}},
        {.name = "response",
         .function = AggregationFunction::Percentile,
         .keys = {"execname"},
         .columns = {"p50", "p90", "p99"}},
        {.name = "_", .function = AggregationFunction::Sum, .keys = {}},
    };
    return start;
  }

  // The events of the next half second.
  RunUpdate next() {
    ++step_;
    RunUpdate update{.time_ns = start_ns + step_ * interval_ns};
    for (size_t i = 0; i < call_count_; ++i) {
      // A few elements have most of the calls.
      int64_t more = static_cast<int64_t>(20'000 / (i + 1)) + static_cast<int64_t>(random() % 50);
      if (i % 7 == 6 && step_ % 4 != 0) more = 0;
      change(update, Calls, {name(i), function(i)}, more);
    }
    for (size_t i = 0; i < (call_count_ > 1000 ? call_count_ : 5); ++i) change_distribution(update, i);
    change_stacks(update);
    for (size_t i = 0; i < 5; ++i) {
      set(update, Size, {name(i)}, {static_cast<int64_t>(512 + random() % 9000)});
      auto p50 = static_cast<int64_t>(1000 + random() % 50'000);
      set(update, Response, {name(i)}, {p50, 4 * p50, 25 * p50});
    }
    change(update, Anonymous, {}, 4096);
    add_rows(update);
    update.cost.consumer_cpu_ns = static_cast<uint64_t>(step_) * 4'000'000;
    return update;
  }

  void add_row(RunUpdate& update, std::string text) const {
    update.rows.push_back(
        {.time_ns = update.time_ns, .pid = 4711, .tid = 4711, .execname = "cat", .text = std::move(text)});
  }

 private:
  uint64_t random() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return state_ >> 40;
  }

  static std::string name(size_t i) {
    static const std::vector<std::string> names{"postgres",      "nginx",           "bash",   "日本語サーバー",
                                                "cc1plus",       "systemd-journal", "sshd",   "e\u0301tude",
                                                "evil\033[2J\n", "python3",         "kworker"};
    return i < names.size() ? names[i] : "worker-" + std::to_string(i);
  }
  static std::string function(size_t i) {
    static const std::vector<std::string> names{"read",       "write", "openat", "futex",
                                                "epoll_wait", "close", "mmap",   "recvfrom"};
    return names[i % names.size()];
  }

  // The number of the element, which `update` introduces if it is new.
  uint32_t element(RunUpdate& update, uint32_t aggregation, std::vector<PictureKey> keys, const std::string& identity) {
    auto& elements = elements_[aggregation];
    auto [found, is_new] = elements.try_emplace(identity, static_cast<uint32_t>(elements.size()));
    if (is_new) update.new_elements.push_back({.aggregation = aggregation, .keys = std::move(keys)});
    return found->second;
  }
  uint32_t element(RunUpdate& update, uint32_t aggregation, const std::vector<std::string>& names) {
    std::vector<PictureKey> keys;
    std::string identity;
    for (const std::string& text : names) {
      keys.push_back({.kind = KeyKind::Text, .text = text, .frames = {}});
      identity += text + '\0';
    }
    return element(update, aggregation, std::move(keys), identity);
  }
  void set(RunUpdate& update, uint32_t aggregation, const std::vector<std::string>& names,
           std::vector<int64_t> numbers) {
    uint32_t number = element(update, aggregation, names);
    update.changes.push_back(
        {.aggregation = aggregation, .element = number, .value = {.numbers = std::move(numbers), .buckets = {}}});
  }
  void change(RunUpdate& update, uint32_t aggregation, const std::vector<std::string>& names, int64_t more) {
    uint32_t number = element(update, aggregation, names);
    int64_t& sum = sums_[{aggregation, number}];
    sum += more;
    if (more != 0 || sum == 0)
      update.changes.push_back(
          {.aggregation = aggregation, .element = number, .value = {.numbers = {sum}, .buckets = {}}});
  }

  // Latencies around a peak that moves, and a second, slower peak.
  void change_distribution(RunUpdate& update, size_t i) {
    uint32_t number = element(update, Latency, {name(i)});
    std::map<int, int64_t>& counts = buckets_[number];
    double peak = 11 + 2 * std::sin(static_cast<double>(step_) / 8) + static_cast<double>(i) / 2;
    for (int bucket = 4; bucket < 26; ++bucket) {
      double distance = bucket - peak;
      auto fast = static_cast<int64_t>(900 * std::exp(-distance * distance / 2));
      auto slow = bucket == 20 && step_ % 5 == 0 ? static_cast<int64_t>(random() % 20) : 0;
      if (fast + slow > 0) counts[bucket] += fast + slow;
    }
    PictureValue value;
    for (auto [bucket, count] : counts)
      value.buckets.push_back({.low = int64_t{1} << bucket, .high = int64_t{2} << bucket, .count = count});
    update.changes.push_back({.aggregation = Latency, .element = number, .value = std::move(value)});
  }

  void change_stacks(RunUpdate& update) {
    static const std::vector<std::vector<std::string>> stacks{
        {"vmlinux`_copy_to_iter", "vmlinux`filemap_read", "vmlinux`vfs_read", "vmlinux`ksys_read",
         "vmlinux`do_syscall_64"},
        {"vmlinux`filemap_get_pages", "vmlinux`filemap_read", "vmlinux`vfs_read", "vmlinux`ksys_read",
         "vmlinux`do_syscall_64"},
        {"vmlinux`ext4_file_write_iter", "vmlinux`vfs_write", "vmlinux`ksys_write", "vmlinux`do_syscall_64"},
        {"vmlinux`schedule", "vmlinux`futex_wait_queue", "vmlinux`do_futex", "vmlinux`do_syscall_64"},
    };
    for (size_t i = 0; i < 3; ++i)
      for (size_t s = 0; s < stacks.size(); ++s) {
        PictureKey stack{.kind = KeyKind::Stack, .text = {}, .frames = {}};
        for (const std::string& frame : stacks[s]) stack.frames.push_back({.text = frame, .is_kernel = true});
        std::string identity = name(i) + "/" + std::to_string(s);
        uint32_t number =
            element(update, Stacks, {{.kind = KeyKind::Text, .text = name(i), .frames = {}}, stack}, identity);
        int64_t& sum = sums_[{Stacks, number}];
        sum += static_cast<int64_t>(400 / ((s + 1) * (i + 1)));
        update.changes.push_back(
            {.aggregation = Stacks, .element = number, .value = {.numbers = {sum}, .buckets = {}}});
      }
  }

  void add_rows(RunUpdate& update) {
    for (int i = 0; i < 3; ++i) {
      ++row_;
      add_row(update, "row " + std::to_string(row_) + " open(\"/etc/passwd\") = " + std::to_string(row_ % 9) + "\n");
    }
    if (step_ % 4 == 0) add_row(update, "two\nlines\n");
  }

  size_t call_count_;
  int64_t step_ = 0;
  uint64_t state_ = 42;
  int row_ = 0;
  std::map<uint32_t, std::map<std::string, uint32_t>> elements_;  // by aggregation
  std::map<std::pair<uint32_t, uint32_t>, int64_t> sums_;         // by aggregation and element
  std::map<uint32_t, std::map<int, int64_t>> buckets_;            // of @latency, by element
};

}  // namespace dscope::test
