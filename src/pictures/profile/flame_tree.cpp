#include "pictures/profile/flame_tree.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace dscope {

namespace {

enum class Level : uint8_t { Text, User, Kernel };

// Only the expression of a key tells whose code an empty stack or an address is: ustack(), usym(), jstack().
bool is_user_expression(std::string_view key) { return key.starts_with('u') || key.starts_with('j'); }

Level level_of(const PictureAggregation& info, size_t index, const PictureKey& key) {
  if (key.kind == KeyKind::Number || key.kind == KeyKind::Text) return Level::Text;
  if (key.kind == KeyKind::Stack && !key.frames.empty())
    return key.frames.front().is_kernel ? Level::Kernel : Level::User;
  bool is_user = index < info.keys.size() && is_user_expression(info.keys[index]);
  return is_user ? Level::User : Level::Kernel;
}

FrameKind kind_of(std::string_view text, bool is_kernel) {
  if (is_kernel) return FrameKind::Kernel;
  if (text.find(" [inlined]") != text.npos) return FrameKind::Inlined;
  bool is_in_perf_map = text.starts_with("perf-") && text.find(".map`") != text.npos;
  return is_in_perf_map ? FrameKind::Jit : FrameKind::User;
}

void append_key(std::vector<FlameFrame>& frames, const PictureKey& key, Level level) {
  if (key.kind != KeyKind::Stack) {
    FrameKind kind = level == Level::Text ? FrameKind::Key : kind_of(key.text, level == Level::Kernel);
    if (!key.text.empty()) frames.push_back({key.text, kind});
    return;
  }
  for (size_t i = key.frames.size(); i-- != 0;)
    frames.push_back({key.frames[i].text, kind_of(key.frames[i].text, key.frames[i].is_kernel)});
}

// A thread without a kernel stack was in user code, and vice versa.
void append_empty_stack(std::vector<FlameFrame>& frames, const PictureElement& element,
                        const std::vector<Level>& levels) {
  bool has_kernel = false, has_user = false;
  for (size_t i = 0; i < element.keys.size(); ++i) {
    if (element.keys[i].kind != KeyKind::Stack) continue;
    if (!element.keys[i].frames.empty()) return;
    (levels[i] == Level::Kernel ? has_kernel : has_user) = true;
  }
  if (has_kernel) frames.push_back({"[user]", FrameKind::User});
  else if (has_user) frames.push_back({"[kernel]", FrameKind::Kernel});
}

std::vector<Level> levels_of(const PictureAggregation& info, const PictureElement& element) {
  std::vector<Level> levels;
  for (size_t i = 0; i < element.keys.size(); ++i) levels.push_back(level_of(info, i, element.keys[i]));
  return levels;
}

std::vector<FlameFrame> frames_of(const PictureAggregation& info, const PictureElement& element, bool has_texts) {
  std::vector<Level> levels = levels_of(info, element);
  size_t code_end = levels.size();
  while (code_end > 0 && levels[code_end - 1] == Level::Text) --code_end;
  // Without code, all texts come first.
  size_t texts_end = code_end == 0 ? levels.size() : code_end;
  std::vector<FlameFrame> frames;
  auto add = [&](size_t begin, size_t end, Level level) {
    for (size_t i = begin; i < end; ++i)
      if (levels[i] == level) append_key(frames, element.keys[i], level);
  };
  if (has_texts) add(0, texts_end, Level::Text);
  add(0, code_end, Level::User);
  add(0, code_end, Level::Kernel);
  append_empty_stack(frames, element, levels);
  if (has_texts) add(texts_end, levels.size(), Level::Text);
  return frames;
}

uint64_t saturating_sum(uint64_t left, uint64_t right) {
  uint64_t sum = left + right;
  return sum < left ? std::numeric_limits<uint64_t>::max() : sum;
}

}  // namespace

bool has_stacks(const AggregationModel& aggregation) {
  return std::ranges::any_of(aggregation.elements, [](const PictureElement& element) {
    return std::ranges::any_of(
        element.keys, [](const PictureKey& key) { return key.kind == KeyKind::Stack || key.kind == KeyKind::Code; });
  });
}

bool has_profile(const AggregationModel& aggregation) {
  return aggregation.info.is_additive() && has_stacks(aggregation);
}

std::vector<const AggregationModel*> profiled_aggregations(const RunModel& model) {
  std::vector<const AggregationModel*> with_stacks, others;
  for (const AggregationModel& aggregation : model.aggregations()) {
    if (has_profile(aggregation)) with_stacks.push_back(&aggregation);
    else if (aggregation.info.is_additive() && !aggregation.info.keys.empty()) others.push_back(&aggregation);
  }
  return with_stacks.empty() ? others : with_stacks;
}

std::vector<FlameFrame> flame_frames(const PictureAggregation& info, const PictureElement& element) {
  return frames_of(info, element, true);
}

std::vector<FlameFrame> code_frames(const PictureAggregation& info, const PictureElement& element) {
  return frames_of(info, element, false);
}

int64_t additive_value(const PictureAggregation& info, const PictureValue& value) {
  if (!info.is_distribution()) return value.numbers.empty() ? 0 : value.numbers.front();
  int64_t sum = 0;
  for (const PictureBucket& bucket : value.buckets) sum += bucket.count;
  return sum;
}

std::string_view module_of_frame(std::string_view text) {
  size_t end = text.find('`');
  return end == text.npos ? std::string_view{} : text.substr(0, end);
}

FlameTree::FlameTree(const AggregationModel& aggregation) {
  nodes_.push_back({.frame = {"all", FrameKind::Key}});
  path_.push_back(0);
  std::vector<std::pair<std::vector<FlameFrame>, uint64_t>> stacks;
  for (const PictureElement& element : aggregation.elements) {
    if (element.is_removed) continue;
    int64_t value = additive_value(aggregation.info, element.value);
    if (value < 0 && !aggregation.info.is_unsigned) {
      ++negative_elements_;
      continue;
    }
    if (value != 0) stacks.emplace_back(flame_frames(aggregation.info, element), static_cast<uint64_t>(value));
  }
  // Equal prefixes become adjacent, so that one pass builds the tree in preorder.
  std::ranges::sort(stacks);
  for (const auto& [frames, value] : stacks) add(frames, value);
}

void FlameTree::add(const std::vector<FlameFrame>& frames, uint64_t value) {
  size_t shared = 0;
  while (shared < frames.size() && shared + 1 < path_.size() && nodes_[path_[shared + 1]].frame == frames[shared])
    ++shared;
  path_.resize(shared + 1);
  for (size_t i = shared; i < frames.size(); ++i) {
    path_.push_back(nodes_.size());
    nodes_.push_back({.frame = frames[i], .depth = static_cast<uint32_t>(i + 1)});
  }
  depth_ = std::max(depth_, static_cast<uint32_t>(frames.size()));
  for (size_t node : path_) nodes_[node].total = saturating_sum(nodes_[node].total, value);
  nodes_[path_.back()].self = saturating_sum(nodes_[path_.back()].self, value);
}

}  // namespace dscope
