// MergedResults: reads results of --format=json, from files and from streams in which the lines of several machines
// mix, and adds them up.
#pragma once

#include <cstdint>
#include <istream>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/merge/merged_aggregations.h"
#include "driver/merge/result_line.h"

namespace dscope {

// A row of a result, without the aggregations that printa() has printed.
struct MergedRow {
  int64_t timestamp = 0;  // nanoseconds since 1970
  std::string result;
  Json event;
};

class MergedResults {
 public:
  // Reads to the end. `name`: of the results whose lines do not name their machine.
  void read(std::istream& stream, std::string_view name);
  // Reports an input that cannot be read.
  void add_problem(std::string message);
  // Adds up the results that are complete and those that have no end. No more input follows.
  Result<> finish();

  bool has_results() const { return !results_.empty(); }
  const MergedAggregations& aggregations() const { return aggregations_; }
  // Rows in the order of their times; drops and faults, too.
  const std::vector<MergedRow>& rows() const { return rows_; }
  const std::vector<MergedRow>& losses() const { return losses_; }
  // Sentences for standard error: input that is missing or damaged, drops and faults.
  const std::vector<std::string>& messages() const { return messages_; }
  // The highest exit status of the results; at least 1 if input was missing or damaged.
  int exit_status() const;

 private:
  struct ResultState {
    std::string name;
    bool has_end = false;
    std::vector<AggregationPart> parts = {};     // the last of each aggregation
    std::map<std::string, uint64_t> drops = {};  // by kind
    uint64_t faults = 0;
    std::string first_fault = {};
  };
  // The lines of a stream that are not events of results.
  struct LeftOut {
    size_t foreign = 0, damaged = 0;
    std::string first_foreign = {};
    size_t first_damaged = 0;  // number of the line
  };

  ResultState& result_of(std::string_view stream, const std::string& machine);
  void add_event(ResultState& result, Json event);
  void add_row(ResultState& result, Json event);
  void add_loss(ResultState& result, Json event);
  void add_aggregation(ResultState& result, const Json& item);
  void report(const LeftOut& lines, std::string_view name);
  void report_end(const ResultState& result);

  std::vector<ResultState> results_;
  std::map<std::pair<std::string, std::string>, size_t> current_;  // stream and machine -> index of its last result
  std::map<std::string, size_t> names_;                            // how many results have the name
  MergedAggregations aggregations_;
  std::vector<MergedRow> rows_, losses_;
  std::vector<std::string> messages_;
  Result<> first_refusal_ = {};
  bool is_incomplete_ = false;
  int highest_status_ = 0;
};

}  // namespace dscope
