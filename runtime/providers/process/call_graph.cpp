#include "runtime/providers/process/call_graph.h"

#include <cstring>
#include <set>

namespace dscope {

namespace {

constexpr size_t max_functions = 64;

struct Calls {
  std::vector<uint64_t> targets;
  bool has_indirect = false;
};

// Near calls and jumps with a distance of 32 bits (e8, e9), and indirect calls (ff /2, ff /3) of x86-64.
Calls calls_of(const CalledCode& code, uint64_t offset) {
  Calls calls;
  for (size_t i = 0; i < code.starts.size(); ++i) {
    size_t at = code.starts[i], end = i + 1 < code.starts.size() ? code.starts[i + 1] : code.bytes.size();
    while (at < end && (code.bytes[at] == 0xf2 || code.bytes[at] == 0x3e || (code.bytes[at] & 0xf0) == 0x40)) ++at;
    bool is_direct = at + 5 == end && (code.bytes[at] == 0xe8 || code.bytes[at] == 0xe9);
    bool is_indirect = at + 1 < end && code.bytes[at] == 0xff &&
                       ((code.bytes[at + 1] & 0x38) == 0x10 || (code.bytes[at + 1] & 0x38) == 0x18);
    calls.has_indirect |= is_indirect;
    if (!is_direct) continue;
    int32_t distance = 0;
    std::memcpy(&distance, code.bytes.data() + at + 1, sizeof distance);
    calls.targets.push_back(offset + end + static_cast<uint64_t>(int64_t{distance}));
  }
  return calls;
}

}  // namespace

bool CallGraph::may_recurse(uint64_t offset) const {
  std::set<uint64_t> seen;
  std::vector<uint64_t> waiting{offset};
  while (!waiting.empty()) {
    uint64_t next = waiting.back();
    waiting.pop_back();
    if (!seen.insert(next).second) continue;
    if (seen.size() > max_functions) return true;
    std::optional<CalledCode> code = read_(next);
    if (!code && next == offset) return true;
    if (!code) continue;
    Calls calls = calls_of(*code, next);
    if (calls.has_indirect) return true;
    for (uint64_t target : calls.targets) {
      if (target == offset) return true;
      waiting.push_back(target);
    }
  }
  return false;
}

}  // namespace dscope
