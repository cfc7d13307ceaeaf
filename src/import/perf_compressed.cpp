#include "import/perf_compressed.h"

#include <zstd.h>

#include <memory>

#include "import/byte_reader.h"
#include "import/perf_records.h"

namespace dscope {

namespace {

constexpr size_t max_expanded = size_t{1} << 30;  // a small file may expand to terabytes

bool is_compressed(const PerfRecord& record) {
  return record.type == PerfRecordType::Compressed || record.type == PerfRecordType::Compressed2;
}

std::string_view content_of(const PerfRecord& record) {
  if (record.type == PerfRecordType::Compressed) return record.body;
  ByteReader reader(record.body);  // padding follows the content
  return reader.bytes(reader.u64());
}

// All records of a file are parts of one stream, and an event may begin in one and end in the next.
class Expansion {
 public:
  // False after an error.
  bool append(std::string_view compressed) {
    ZSTD_inBuffer in{compressed.data(), compressed.size(), 0};
    size_t written = 0;
    do {
      ZSTD_outBuffer out{part_.data(), part_.size(), 0};
      if (ZSTD_isError(ZSTD_decompressStream(stream_.get(), &out, &in)) != 0) return false;
      written = out.pos;
      if (result_.size() + written > max_expanded) return false;
      result_.append(part_, 0, written);
    } while (in.pos < in.size || written == part_.size());
    return true;
  }
  const std::string& result() const { return result_; }

 private:
  std::unique_ptr<ZSTD_DStream, size_t (*)(ZSTD_DStream*)> stream_{ZSTD_createDStream(), ZSTD_freeDStream};
  std::string part_ = std::string(ZSTD_DStreamOutSize(), '\0');
  std::string result_;
};

}  // namespace

bool has_compressed_records(std::string_view records) {
  PerfRecord record;
  uint64_t offset = 0;
  for (uint64_t size = 0; (size = read_perf_record(records, offset, record)) != 0; offset += size)
    if (is_compressed(record)) return true;
  return false;
}

ExpandedRecords expand_records(std::string_view records) {
  ExpandedRecords expanded;
  Expansion expansion;
  PerfRecord record;
  uint64_t offset = 0;
  for (uint64_t size = 0; (size = read_perf_record(records, offset, record)) != 0; offset += size) {
    if (!is_compressed(record)) {
      expanded.records += records.substr(static_cast<size_t>(offset), static_cast<size_t>(size));
    } else if (!expansion.append(content_of(record))) {
      expanded.damage = "a compressed record is damaged, or the records expand to more than a gigabyte";
      break;
    }
  }
  if (expanded.damage.empty() && offset < records.size()) expanded.damage = "a record of the file is damaged";
  expanded.records += expansion.result();
  return expanded;
}

}  // namespace dscope
