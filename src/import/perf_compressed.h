// The records of perf.data that `perf record -z` has compressed.
#pragma once

#include <string>
#include <string_view>

namespace dscope {

bool has_compressed_records(std::string_view records);

struct ExpandedRecords {
  std::string records;  // those that were not compressed, then those that were
  std::string damage;   // one sentence about records that cannot be decompressed; empty: none
};
ExpandedRecords expand_records(std::string_view records);

}  // namespace dscope
