// The stacks of an aggregation as a tree.
#include "pictures/profile/flame_tree.h"

#include <gtest/gtest.h>

#include "pictures/pictures_fixture.h"
#include "support/format.h"
#include "support/text/format_join.h"

namespace dscope::test {
namespace {

PictureKey stack_key(std::vector<std::string> frames, bool is_kernel) {
  PictureKey key{.kind = KeyKind::Stack, .text = {}, .frames = {}};
  for (std::string& frame : frames) key.frames.push_back({std::move(frame), is_kernel});
  return key;
}

AggregationModel model_of(PictureAggregation info, std::vector<std::pair<std::vector<PictureKey>, int64_t>> elements) {
  AggregationModel model{.info = std::move(info), .elements = {}, .history = AggregationHistory{true}};
  for (auto& [keys, number] : elements)
    model.elements.push_back({.keys = std::move(keys), .value = {.numbers = {number}, .buckets = {}}});
  return model;
}

std::string folded(const std::vector<FlameFrame>& frames) {
  std::vector<std::string> texts;
  for (const FlameFrame& frame : frames) texts.push_back(frame.text);
  return fmt::format("{}", fmt::join(texts, ";"));
}

std::string frames_of(PictureAggregation info, std::vector<PictureKey> keys) {
  AggregationModel model = model_of(std::move(info), {{std::move(keys), 1}});
  return folded(flame_frames(model.info, model.elements.front()));
}

TEST(FlameFrames, StartWithTextsAndEndInTheKernel) {
  PictureAggregation info = counted("a", {"execname", "stack()", "ustack()", "cpu"});
  EXPECT_EQ(frames_of(info, {text_key("nginx"), stack_key({"vmlinux`b", "vmlinux`a"}, true),
                             stack_key({"nginx`read", "nginx`main"}, false), text_key("3")}),
            "nginx;nginx`main;nginx`read;vmlinux`a;vmlinux`b;3");
}

TEST(FlameFrames, SayWhereAThreadWithoutStacksWas) {
  EXPECT_EQ(frames_of(counted("a", {"stack()"}), {stack_key({}, true)}), "[user]");
  EXPECT_EQ(frames_of(counted("a", {"ustack()"}), {stack_key({}, false)}), "[kernel]");
  EXPECT_EQ(frames_of(counted("a", {"ustack()", "stack()"}), {stack_key({"a`b"}, false), stack_key({}, true)}), "a`b");
}

TEST(FlameFrames, HaveKinds) {
  PictureAggregation info = counted("a", {"ustack()", "sym(arg0)"});
  AggregationModel model = model_of(info, {{{stack_key({"x`f [inlined] (f.c:3)", "perf-7.map`g", "x`main"}, false),
                                             {.kind = KeyKind::Code, .text = "vmlinux`h", .frames = {}}},
                                            1}});
  std::vector<FrameKind> kinds;
  for (const FlameFrame& frame : flame_frames(info, model.elements.front())) kinds.push_back(frame.kind);
  EXPECT_EQ(kinds, (std::vector{FrameKind::User, FrameKind::Jit, FrameKind::Inlined, FrameKind::Kernel}));
}

TEST(FlameTree, SumsElementsWithEqualFrames) {
  FlameTree tree{model_of(counted("a", {"ustack()"}), {{{stack_key({"c", "b", "a"}, false)}, 5},
                                                       {{stack_key({"b", "a"}, false)}, 3},
                                                       {{stack_key({"d", "a"}, false)}, 2}})};
  std::string text;
  for (const FlameNode& node : tree.nodes())
    text += fmt::format("{}{} {} {}\n", std::string(node.depth, ' '), node.frame.text, node.total, node.self);
  EXPECT_EQ(text, "all 10 0\n a 10 0\n  b 8 3\n   c 5 5\n  d 2 2\n");
  EXPECT_EQ(tree.depth(), 3U);
}

TEST(FlameTree, LeavesOutNegativeAndRemovedElements) {
  AggregationModel model =
      model_of(counted("a", {"ustack()"}),
               {{{stack_key({"a"}, false)}, -5}, {{stack_key({"b"}, false)}, 3}, {{text_key("c")}, 9}});
  model.elements[2].is_removed = true;
  FlameTree tree{model};
  EXPECT_EQ(tree.total(), 3U);
  EXPECT_EQ(tree.nodes().size(), 2U);
  EXPECT_EQ(tree.negative_elements(), 1U);
}

TEST(FlameTree, SaturatesSums) {
  PictureAggregation info = counted("a", {"ustack()"});
  info.is_unsigned = true;
  FlameTree tree{model_of(info, {{{stack_key({"a"}, false)}, -1}, {{stack_key({"b"}, false)}, 3}})};
  EXPECT_EQ(tree.total(), UINT64_MAX);
}

TEST(ProfiledAggregations, AreThoseWithStacksIfThereAreAny) {
  RunStart start = start_with({counted("plain", {"execname"}), counted("stacks", {"ustack()"})});
  RunModel model{start};
  EXPECT_EQ(profiled_aggregations(model).size(), 2U);
  model.add({.time_ns = 1, .new_elements = {{.aggregation = 1, .keys = {stack_key({"a"}, false)}}}});
  ASSERT_EQ(profiled_aggregations(model).size(), 1U);
  EXPECT_EQ(profiled_aggregations(model).front()->info.name, "stacks");
}

}  // namespace
}  // namespace dscope::test
