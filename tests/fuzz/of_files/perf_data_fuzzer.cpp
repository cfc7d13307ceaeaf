// perf.data files that anyone may have written, up to the formats of tracepoints, which libtraceevent parses.
#include <cstdlib>
#include <string>
#include <string_view>

#include "import/perf_compressed.h"
#include "import/perf_file.h"
#include "import/perf_records.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  auto file = dscope::read_perf_file({reinterpret_cast<const char*>(data), size});
  if (!file) return 0;
  uint64_t sum = 0, offset = 0;
  dscope::ExpandedRecords expanded;
  if (dscope::has_compressed_records(file->records)) {
    expanded = dscope::expand_records(file->records);
    file->records = expanded.records;
  }
  dscope::PerfRecord record;
  for (uint64_t step = 0; (step = dscope::read_perf_record(file->records, offset, record)) != 0; offset += step) {
    dscope::PerfSample sample;
    if (dscope::read_perf_sample(*file, record, sample)) {
      dscope::PerfStacks stacks;
      dscope::read_call_chain(sample.call_chain, stacks);
      sum += stacks.kernel.size() + stacks.user.size() + sample.time;
      for (char byte : sample.raw) sum += static_cast<unsigned char>(byte);
    }
    sum += dscope::read_perf_stamp(*file, record).time + dscope::read_perf_name(record).name.size() +
           dscope::read_perf_fork(record).tid + dscope::read_perf_mapping(record).path.size() +
           dscope::read_perf_losses(record);
  }
  for (const dscope::PerfTracepoint& tracepoint : file->tracepoints)
    for (char byte : tracepoint.format) sum += static_cast<unsigned char>(byte);
  if (sum == 0x123456789abcdef) std::abort();  // so that the reads are not optimized away
  return 0;
}
