#include "pictures/report/stack_trie.h"

#include <nlohmann/json.hpp>

#include "support/text/visible_text.h"

namespace dscope {

namespace {

// The symbolizer names code of just-in-time compilers after their perf map, and marks inlined functions.
char kind_of(const PictureFrame& frame) {
  if (frame.is_kernel) return 'k';
  if (frame.text.find(" [inlined]") != std::string::npos) return 'i';
  size_t end_of_object = frame.text.find(".map`");
  if (frame.text.starts_with("perf-") && end_of_object != std::string::npos) return 'j';
  return frame.text.starts_with("0x") ? 'x' : 'u';
}

}  // namespace

uint32_t StackTrie::add_frame(const PictureFrame& frame) {
  auto [known, is_new] = frames_.try_emplace({frame.text, frame.is_kernel}, static_cast<uint32_t>(texts_.size()));
  if (is_new) {
    texts_.push_back(visible_line(frame.text));
    kinds_ += kind_of(frame);
  }
  return known->second;
}

int64_t StackTrie::add(const std::vector<PictureFrame>& frames) {
  int64_t node = -1;
  for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
    uint32_t number = add_frame(*frame);
    uint64_t edge = static_cast<uint64_t>(node + 1) << 32 | number;
    auto [child, is_new] = children_.try_emplace(edge, static_cast<uint32_t>(nodes_.size()));
    // A node is its own parent if it has none.
    if (is_new) nodes_.push_back({.parent = node < 0 ? child->second : static_cast<uint32_t>(node), .frame = number});
    node = child->second;
  }
  return node;
}

nlohmann::json StackTrie::to_json() const {
  nlohmann::json frames = nlohmann::json::array(), parents = nlohmann::json::array();
  for (size_t i = 0; i < nodes_.size(); ++i) {
    frames.push_back(nodes_[i].frame);
    parents.push_back(i - nodes_[i].parent);
  }
  return {{"text", texts_}, {"kind", kinds_}, {"frame", std::move(frames)}, {"parent", std::move(parents)}};
}

}  // namespace dscope
