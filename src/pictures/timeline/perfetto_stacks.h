// PerfettoStacks: call stacks as the interned data of a Perfetto trace. A frame is a function name and a mapping, the
// module before its backquote. Field numbers are those of Perfetto's protos/perfetto/trace.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pictures/run_update.h"

namespace dscope {

class PerfettoStacks {
 public:
  // Returns the number of the stack, whose innermost frame is the first. Appends what the trace does not have yet to
  // `interned`, fields of InternedData.
  uint64_t intern(const std::vector<PictureFrame>& stack, std::string& interned);

 private:
  using Names = std::map<std::string, uint64_t, std::less<>>;

  uint64_t intern_frame(const PictureFrame& frame, std::string& interned);
  uint64_t intern_mapping(std::string_view module, std::string& interned);
  uint64_t intern_function(std::string_view name, std::string& interned);

  Names modules_, functions_;
  std::map<std::pair<uint64_t, uint64_t>, uint64_t> frames_;  // by mapping and function
  std::map<std::vector<uint64_t>, uint64_t> stacks_;          // by frames, outermost first
};

}  // namespace dscope
