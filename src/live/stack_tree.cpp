#include "live/stack_tree.h"

#include <algorithm>
#include <numeric>

namespace dscope {

namespace {

bool is_stack_of_kernel(const PictureKey& key) { return !key.frames.empty() && key.frames.front().is_kernel; }

int64_t value_of(const PictureElement& element) {
  if (!element.value.numbers.empty()) return element.value.numbers.front();
  int64_t count = 0;
  for (const PictureBucket& bucket : element.value.buckets) count += bucket.count;
  return count;
}

}  // namespace

uint32_t StackTree::child(uint32_t parent, const std::string& text, bool is_kernel, bool is_key) {
  auto [number, is_new_text] = text_numbers_.try_emplace(text, static_cast<uint32_t>(texts_.size()));
  if (is_new_text) texts_.push_back(text);
  uint64_t key = (uint64_t{parent} << 32) | (uint64_t{number->second} << 1) | (is_key ? 1 : 0);
  auto [found, is_new] = children_.try_emplace(key, static_cast<uint32_t>(nodes_.size()));
  if (is_new) {
    nodes_.push_back({.parent = parent, .text = number->second, .is_kernel = is_kernel, .is_key = is_key});
    nodes_[parent].children.push_back(found->second);
  }
  return found->second;
}

uint32_t StackTree::append_frames(uint32_t node, const std::vector<PictureKey>& keys, bool of_kernel) {
  for (const PictureKey& key : keys) {
    if (key.kind != KeyKind::Stack || is_stack_of_kernel(key) != of_kernel) continue;
    size_t count = key.frames.size();
    for (size_t i = 0; i < count; ++i) {
      const PictureFrame& frame = key.frames[is_inverted_ ? i : count - 1 - i];
      node = child(node, frame.text, frame.is_kernel, /*is_key=*/false);
    }
  }
  return node;
}

uint32_t StackTree::append_names(uint32_t node, const std::vector<PictureKey>& keys) {
  for (const PictureKey& key : keys)
    if (key.kind != KeyKind::Stack) node = child(node, key.text, /*is_kernel=*/false, /*is_key=*/true);
  return node;
}

void StackTree::update(const AggregationModel& model) {
  for (size_t i = leaves_.size(); i < model.elements.size(); ++i) {
    const std::vector<PictureKey>& keys = model.elements[i].keys;
    // User code calls the kernel.
    uint32_t node = is_inverted_ ? root : append_names(root, keys);
    node = append_frames(node, keys, /*of_kernel=*/is_inverted_);
    node = append_frames(node, keys, /*of_kernel=*/!is_inverted_);
    if (is_inverted_) node = append_names(node, keys);
    leaves_.push_back(node);
  }
  for (Node& node : nodes_) node.total = node.self = 0;
  for (size_t i = 0; i < leaves_.size(); ++i) nodes_[leaves_[i]].self += value_of(model.elements[i]);
  // A node is created after its parent.
  for (size_t i = nodes_.size(); i-- > 0;) {
    nodes_[i].total += nodes_[i].self;
    if (i != root) nodes_[nodes_[i].parent].total += nodes_[i].total;
  }
}

std::vector<uint32_t> StackTree::sorted_children(uint32_t number) const {
  std::vector<uint32_t> children;
  for (uint32_t child_number : nodes_[number].children)
    if (nodes_[child_number].total != 0) children.push_back(child_number);
  std::ranges::stable_sort(children, [&](uint32_t a, uint32_t b) { return nodes_[a].total > nodes_[b].total; });
  return children;
}

}  // namespace dscope
