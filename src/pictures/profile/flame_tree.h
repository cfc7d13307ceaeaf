// FlameTree: the stacks of an aggregation, merged into a tree whose nodes have the sum of their elements. Flame graphs
// are drawn from it. The order of frames is that of format folded (runtime/aggregations/aggregation_form.h).
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pictures/run_model.h"

namespace dscope {

enum class FrameKind : uint8_t {
  Key,  // not code: a key besides the stack
  User,
  Kernel,
  Inlined,  // a function that the compiler inlined, with ustacklines
  Jit,      // code of a just-in-time compiler, named by its perf map
};

struct FlameFrame {
  std::string text;  // as traced: it may contain anything
  FrameKind kind{};

  auto operator<=>(const FlameFrame&) const = default;
};

// True if an element has a stack or the address of code as a key.
bool has_stacks(const AggregationModel& aggregation);

// The aggregation is additive and has stacks: the forms for profiles apply to it.
bool has_profile(const AggregationModel& aggregation);

// The aggregations that profiles are made of: those with stacks, or, if there are none, all additive ones with keys,
// whose keys take the place of frames.
std::vector<const AggregationModel*> profiled_aggregations(const RunModel& model);

// The keys of an element as frames, outermost first: text keys, frames of the process, frames of the kernel, and the
// text keys behind all stacks. "[user]" or "[kernel]" stands for stacks that are all empty.
std::vector<FlameFrame> flame_frames(const PictureAggregation& info, const PictureElement& element);

// The frames of stacks and addresses of code only.
std::vector<FlameFrame> code_frames(const PictureAggregation& info, const PictureElement& element);

// The number of an additive value: for distributions, how many values it has counted.
int64_t additive_value(const PictureAggregation& info, const PictureValue& value);

// The part of "vmlinux`vfs_read" before the `; empty if there is none.
std::string_view module_of_frame(std::string_view text);

struct FlameNode {
  FlameFrame frame;
  uint32_t depth = 0;  // 0: the root
  uint64_t total = 0;  // saturated at the greatest number
  uint64_t self = 0;
};

class FlameTree {
 public:
  explicit FlameTree(const AggregationModel& aggregation);

  // In preorder, siblings in ascending order of their frames. The first one is the root: its frame is "all".
  const std::vector<FlameNode>& nodes() const { return nodes_; }
  uint64_t total() const { return nodes_.front().total; }
  uint32_t depth() const { return depth_; }                          // of the deepest node
  uint64_t negative_elements() const { return negative_elements_; }  // not in the tree: they have no width

 private:
  void add(const std::vector<FlameFrame>& frames, uint64_t value);

  std::vector<FlameNode> nodes_;
  std::vector<size_t> path_;  // from the root to the last node
  uint32_t depth_ = 0;
  uint64_t negative_elements_ = 0;
};

}  // namespace dscope
