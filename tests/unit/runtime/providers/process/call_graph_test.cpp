#include "runtime/providers/process/call_graph.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>

namespace dscope::test {
namespace {

// Code whose instructions are calls (e8) and one return.
CalledCode calling(uint64_t offset, const std::vector<uint64_t>& targets, bool has_indirect = false) {
  CalledCode code;
  for (uint64_t target : targets) {
    code.starts.push_back(static_cast<uint32_t>(code.bytes.size()));
    auto distance = static_cast<int32_t>(target - offset - code.bytes.size() - 5);
    code.bytes.push_back(0xe8);
    code.bytes.resize(code.bytes.size() + 4);
    std::memcpy(code.bytes.data() + code.bytes.size() - 4, &distance, 4);
  }
  if (has_indirect) {
    code.starts.push_back(static_cast<uint32_t>(code.bytes.size()));
    code.bytes.insert(code.bytes.end(), {0x41, 0xff, 0xd4});  // call *%r12
  }
  code.starts.push_back(static_cast<uint32_t>(code.bytes.size()));
  code.bytes.push_back(0xc3);
  return code;
}

bool may_recurse(const std::map<uint64_t, CalledCode>& functions, uint64_t offset) {
  return CallGraph{[&](uint64_t at) {
           auto found = functions.find(at);
           return found == functions.end() ? std::nullopt : std::optional(found->second);
         }}
      .may_recurse(offset);
}

TEST(CallGraph, FindsRecursion) {
  std::map<uint64_t, CalledCode> functions{{100, calling(100, {})},    {200, calling(200, {100, 5000})},
                                           {300, calling(300, {300})}, {400, calling(400, {100, 500})},
                                           {500, calling(500, {400})}, {600, calling(600, {}, true)},
                                           {700, calling(700, {600})}, {800, calling(800, {300})}};
  EXPECT_FALSE(may_recurse(functions, 100));
  EXPECT_FALSE(may_recurse(functions, 200)) << "5000 is a stub of the linker";
  EXPECT_TRUE(may_recurse(functions, 300));
  EXPECT_TRUE(may_recurse(functions, 400)) << "through another function";
  EXPECT_TRUE(may_recurse(functions, 600)) << "an indirect call may go anywhere";
  EXPECT_TRUE(may_recurse(functions, 700));
  EXPECT_FALSE(may_recurse(functions, 800)) << "only a function that it calls does";
  EXPECT_TRUE(may_recurse(functions, 900)) << "unreadable";
}

TEST(CallGraph, StopsAfterManyFunctions) {
  std::map<uint64_t, CalledCode> functions;
  for (uint64_t i = 0; i < 1000; ++i) functions.emplace(i * 100, calling(i * 100, {(i + 1) * 100}));
  EXPECT_TRUE(may_recurse(functions, 0));
}

}  // namespace
}  // namespace dscope::test
