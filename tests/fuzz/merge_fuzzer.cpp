// Results of --format=json that other machines have sent, merged with themselves and printed in each format.
#include <sstream>

#include "driver/merge/print_results.h"
#include "runtime/format/capture_stream.h"
#include "support/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  dscope::MergedResults results;
  for (const char* name : {"a", "b"}) {
    std::istringstream stream(std::string(reinterpret_cast<const char*>(data), size));
    results.read(stream, name);
  }
  if (!results.finish()) return 0;
  for (const char* format : {"text", "json", "csv", "folded"}) {
    dscope::OptionValues options;
    DS_CHECK(options.set("format", format, true, dscope::OptionOrigin::CommandLine).has_value());
    dscope::CaptureStream out, messages;
    dscope::print_results(results, options, {}, out, messages);
  }
  return 0;
}
