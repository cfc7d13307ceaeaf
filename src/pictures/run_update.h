// The results of a run as plain data for pictures. The recorder of a consumer (runtime/output/run_recorder.h) makes a
// RunStart, RunUpdates and a RunEnd; RunModel adds them up. Texts are bytes as traced: they may contain anything.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "catalog/catalog.h"

namespace dscope {

// ---------------------------------------------------------------- keys and values of aggregations

struct PictureFrame {
  std::string text;  // as stack() and ustack() print it, without an offset: "vmlinux`vfs_read"
  bool is_kernel = false;

  bool operator==(const PictureFrame&) const = default;
};

enum class KeyKind : uint8_t {
  Number,
  Text,
  Code,   // the address of code or an object: sym(), umod() ...; `text` is its name
  Stack,  // of the kernel or a process
};

// One key of an element.
struct PictureKey {
  KeyKind kind{};
  std::string text;                  // all but stacks: as printa() prints it, without padding
  std::vector<PictureFrame> frames;  // stacks: innermost frame first

  bool operator==(const PictureKey&) const = default;
};

// A bucket of a distribution counts the values from `low` up to, not including, `high`. The outermost buckets have the
// bounds INT64_MIN and INT64_MAX.
struct PictureBucket {
  int64_t low = 0, high = 0;
  int64_t count = 0;
};

// The operands of avg() and stddev(), not divided by the normal.
struct PictureParts {
  int64_t count = 0, sum = 0;
  double sum_of_squares = 0;  // stddev() only

  bool operator==(const PictureParts&) const = default;
};

// The value of an element since the start of the run, over all clear() and trunc(), divided by its normal.
struct PictureValue {
  // count, sum, min, max, avg, stddev: one number. percentile(): one for each name in PictureAggregation::columns.
  // Empty for distributions.
  std::vector<int64_t> numbers;
  std::vector<PictureBucket> buckets;  // in ascending order, without those of count 0; empty for other functions
  PictureParts parts;                  // avg(), stddev()

  bool is_empty() const { return numbers.empty() && buckets.empty() && parts == PictureParts{}; }
};

struct PictureAggregation {
  std::string name;  // without the @; "_" for the anonymous one
  AggregationFunction function{};
  std::vector<std::string> keys;     // the D expressions of the keys; "key1" and so on where they have no short one
  std::vector<std::string> columns;  // percentile(): "p50", "p99" ...
  bool is_unsigned = false;          // the numbers are unsigned
  std::vector<int64_t> bucket_ends;  // lquantize(), llquantize(): PictureBucket::high of all buckets, ascending
  uint64_t source_hash = 0;          // AggregationPlan::source_hash

  bool is_distribution() const {
    return function == AggregationFunction::Quantize || function == AggregationFunction::Lquantize ||
           function == AggregationFunction::Llquantize;
  }
  // The value of several elements or intervals is the sum of theirs.
  bool is_additive() const {
    return is_distribution() || function == AggregationFunction::Count || function == AggregationFunction::Sum;
  }
};

// ---------------------------------------------------------------- updates

struct PictureProbe {
  std::string provider, module, function, name;
};

// Rows of a clause begin or end an interval of their thread, which the thread-local variable `name` names.
struct PictureInterval {
  uint32_t clause = 0;
  std::string name;
  bool is_begin = false;
};

struct RunStart {
  std::string program_name = "dscope";           // with its version: "dscope 1.0"
  std::string command_line;                      // as typed, quoted for a shell
  std::string script;                            // the D text of all units, for people
  std::string host, kernel;                      // uname(2): nodename; sysname, release and machine
  int64_t start_ns = 0;                          // since 1970
  uint64_t start_monotonic_ns = 0;               // the same moment by CLOCK_MONOTONIC; 0: not known
  std::vector<uint32_t> targets;                 // the processes of -c and -p
  std::vector<PictureProbe> probes;              // ProgramPlan::probes; RunUpdate::probes appends to them
  std::vector<PictureAggregation> aggregations;  // ProgramPlan::aggregations
  std::vector<PictureInterval> intervals;        // ProgramPlan::interval_marks
  std::vector<std::string> metric_rules;         // option metric
  int64_t metric_idle_ns = 0;                    // option metricidle; 0: elements never expire
};

// An element that no earlier update has named. Elements are numbered from 0 within their aggregation, without gaps; the
// number of an element that has been removed may be used again.
struct NewElement {
  static constexpr uint32_t next_number = ~0U;

  uint32_t aggregation = 0;
  std::vector<PictureKey> keys;
  bool is_overflow = false;  // the sum of all elements for which there was no room; it has no keys
  int64_t created_ns = 0;    // since 1970: when counting began; 0: with the run
  uint32_t number = next_number;
};

struct ElementChange {
  uint32_t aggregation = 0, element = 0;
  PictureValue value;       // its new value, not the difference
  bool is_removed = false;  // trunc(@a, n) removed it for good, or it has expired: `value` is empty
};

struct PictureRow {
  int64_t time_ns = 0;        // when the row was printed, since 1970
  uint64_t monotonic_ns = 0;  // when the probe fired (`timestamp`); 0: not recorded
  uint32_t probe = 0;         // index of RunStart::probes
  uint32_t clause = 0;
  uint32_t cpu = 0;
  uint32_t pid = 0, tid = 0;  // of the thread that fired the probe; 0: not recorded
  std::string execname;       // empty: not recorded
  std::string text;           // what the clause prints, without the prefix of the row
  // The stack that the clause prints, innermost frame first: the kernel's part, then that of the process. Empty unless
  // PictureSettings::records_stacks.
  std::vector<PictureFrame> stack;
};

struct PictureFault {
  int64_t time_ns = 0;
  uint32_t probe = 0;
  std::string text;  // as on stderr, one line, without the newline
};

// Data was lost.
struct PictureDrop {
  int64_t time_ns = 0;
  std::string text;    // "2 drops on CPU 0"
  std::string kind;    // "DTRACEDROP_PRINCIPAL"
  uint64_t count = 0;  // since the last report of its kind

  // Whether the lost records would have become rows.
  bool loses_rows() const { return kind == "DTRACEDROP_PRINCIPAL"; }
};

struct ProgramCostPart {
  std::string name;  // of its probe
  uint64_t cpu_ns = 0, firings = 0;
  uint64_t suspensions = 0;   // how often it was detached by option cpubudget
  bool is_suspended = false;  // it is detached now
};

// The cost of tracing since the start.
struct RunCost {
  uint64_t consumer_cpu_ns = 0;  // CPU time of dscope itself
  uint64_t program_cpu_ns = 0;   // CPU time of the BPF programs; 0 if it was not measured
  uint64_t firings = 0;          // of these programs; 0 if they were not counted
  // Those that cost most, the largest first, if they were measured.
  std::vector<ProgramCostPart> programs;
};

// How full the kernel's table of an aggregation is.
struct TableFill {
  uint32_t aggregation = 0;
  uint64_t elements = 0, capacity = 0;
};

struct RunUpdate {
  int64_t time_ns = 0;  // since 1970
  std::vector<PictureProbe> probes;
  std::vector<NewElement> new_elements;  // before `changes`
  std::vector<ElementChange> changes;
  std::vector<PictureRow> rows;
  uint64_t lost_rows = 0;  // rows that whoever made the update left out, for their number; `rows` has the others
  std::vector<PictureFault> faults;
  std::vector<PictureDrop> drops;
  RunCost cost;
  std::vector<TableFill> fills;  // of all aggregations whose table is known; empty: as in the last update
};

struct RunEnd {
  int64_t time_ns = 0;  // since 1970
  int exit_status = 0;
};

}  // namespace dscope
