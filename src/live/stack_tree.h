// StackTree: the stacks of an aggregation joined to a tree, from the outermost frames to the innermost ones, or
// inverted: from the innermost ones to their callers. Other keys are above the stacks (below, if inverted): in
// @[execname, ustack()], each execname has a tree of its own. New elements add nodes; nodes stay.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "pictures/run_model.h"

namespace dscope {

class StackTree {
 public:
  struct Node {
    uint32_t parent = 0;
    uint32_t text = 0;  // index of the text
    bool is_kernel = false;
    bool is_key = false;  // of another key, not a frame
    int64_t total = 0;    // with all nodes below
    int64_t self = 0;     // of the elements that end here
    std::vector<uint32_t> children;
  };
  static constexpr uint32_t root = 0;

  explicit StackTree(bool is_inverted) : is_inverted_(is_inverted), nodes_(1) {}

  void update(const AggregationModel& model);

  const Node& node(uint32_t number) const { return nodes_[number]; }
  size_t size() const { return nodes_.size(); }
  const std::string& text(uint32_t number) const { return texts_[nodes_[number].text]; }
  // The children with a total other than 0, largest first.
  std::vector<uint32_t> sorted_children(uint32_t number) const;

 private:
  uint32_t child(uint32_t parent, const std::string& text, bool is_kernel, bool is_key);
  uint32_t append_frames(uint32_t node, const std::vector<PictureKey>& keys, bool of_kernel);
  uint32_t append_names(uint32_t node, const std::vector<PictureKey>& keys);

  bool is_inverted_;
  std::vector<Node> nodes_;
  std::vector<std::string> texts_;
  std::unordered_map<std::string, uint32_t> text_numbers_;
  std::unordered_map<uint64_t, uint32_t> children_;  // by the parent and the number of the text
  std::vector<uint32_t> leaves_;                     // by element
};

}  // namespace dscope
