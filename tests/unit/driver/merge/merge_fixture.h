// Merges texts of --format=json.
#pragma once

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "driver/merge/print_results.h"
#include "runtime/format/capture_stream.h"

namespace dscope::test {

struct Merged {
  std::string out, messages;  // messages: one sentence a line
  std::string refusal;        // the error of results that cannot be added up
  int status = 0;
};

// Merges results named a.json, b.json ...; `format`: as in --format.
inline Merged merge(const std::vector<std::string>& results, const std::string& format = "text") {
  MergedResults merged;
  char name = 'a';
  for (const std::string& text : results) {
    std::istringstream stream(text);
    merged.read(stream, std::string{name++} + ".json");
  }
  Merged result;
  Result<> finished = merged.finish();
  for (const std::string& message : merged.messages()) result.messages += message + "\n";
  result.status = merged.exit_status();
  if (!finished) {
    result.refusal = finished.error().message();
    return result;
  }
  OptionValues options;
  EXPECT_TRUE(options.set("format", format, true, OptionOrigin::CommandLine));
  CaptureStream out, messages;
  print_results(merged, options, {}, out, messages);
  result.out = out.take();
  result.messages += messages.take();
  return result;
}

inline const std::string exit_line = "{\"type\":\"exit\",\"timestamp\":9,\"status\":0}\n";

// A result with one aggregation @a. `head`: further members of the aggregation, each behind a comma.
inline std::string result_of(const std::string& function, const std::string& elements, const std::string& head = "") {
  return R"({"type":"aggregation","timestamp":5,"aggregation-name":"a","aggregation-function":")" + function + "\"" +
         head + ",\"aggregation-data\":[" + elements + "]}\n" + exit_line;
}

}  // namespace dscope::test
