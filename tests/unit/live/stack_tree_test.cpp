#include "live/stack_tree.h"

#include <gtest/gtest.h>

#include "live/heat_grid.h"
#include "pictures/pictures_fixture.h"

namespace dscope::test {
namespace {

PictureKey stack_key(std::vector<std::string> frames, bool is_kernel) {
  PictureKey key{.kind = KeyKind::Stack, .text = {}, .frames = {}};
  for (std::string& frame : frames) key.frames.push_back({.text = std::move(frame), .is_kernel = is_kernel});
  return key;
}

RunModel stack_model() {
  RunModel model{start_with({counted("s", {"execname", "stack()", "ustack()"})})};
  PictureKey user = stack_key({"read", "main"}, false);
  model.add({.time_ns = second,
             .new_elements = {{0, {text_key("cat"), stack_key({"copy", "vfs_read"}, true), user}},
                              {0, {text_key("cat"), stack_key({"lock", "vfs_read"}, true), user}}},
             .changes = {change(0, 0, 30), change(0, 1, 10)}});
  return model;
}

std::string path_of(const StackTree& tree, uint32_t node) {
  std::string path;
  for (; node != StackTree::root; node = tree.node(node).parent) path = "/" + tree.text(node) + path;
  return path;
}

// All leaves with their totals, largest first at each level.
std::string leaves(const StackTree& tree, uint32_t node = StackTree::root) {
  std::vector<uint32_t> children = tree.sorted_children(node);
  if (children.empty()) return path_of(tree, node) + " " + std::to_string(tree.node(node).total) + "\n";
  std::string text;
  for (uint32_t child : children) text += leaves(tree, child);
  return text;
}

TEST(StackTree, PutsUserFramesAboveTheKernel) {
  RunModel model = stack_model();
  StackTree tree{/*is_inverted=*/false};
  tree.update(model.aggregations().front());
  EXPECT_EQ(leaves(tree), "/cat/main/read/vfs_read/copy 30\n/cat/main/read/vfs_read/lock 10\n");
  EXPECT_EQ(tree.node(StackTree::root).total, 40);
  tree.update(model.aggregations().front());
  EXPECT_EQ(tree.node(StackTree::root).total, 40);
}

TEST(StackTree, InvertedBeginsWithTheInnermostFrame) {
  RunModel model = stack_model();
  StackTree tree{/*is_inverted=*/true};
  tree.update(model.aggregations().front());
  EXPECT_EQ(leaves(tree), "/copy/vfs_read/read/main/cat 30\n/lock/vfs_read/read/main/cat 10\n");
}

TEST(StackTree, ForgetsTheValueOfRemovedElements) {
  RunModel model = stack_model();
  StackTree tree{/*is_inverted=*/false};
  tree.update(model.aggregations().front());
  model.add({.time_ns = 2 * second, .changes = {{.aggregation = 0, .element = 0, .value = {}, .is_removed = true}}});
  tree.update(model.aggregations().front());
  EXPECT_EQ(leaves(tree), "/cat/main/read/vfs_read/lock 10\n");
}

RunModel quantize_model(std::vector<PictureBucket> buckets) {
  RunModel model{start_with({{.name = "t", .function = AggregationFunction::Quantize, .keys = {"execname"}}})};
  model.add({.time_ns = second,
             .new_elements = {{0, {text_key("a")}}, {0, {text_key("b")}}},
             .changes = {{0, 0, {.numbers = {}, .buckets = std::move(buckets)}},
                         {0, 1, {.numbers = {}, .buckets = {{4, 8, 2}}}}}});
  return model;
}

TEST(BucketRows, FillsGapsAndAddsElements) {
  RunModel model = quantize_model({{1, 2, 5}, {4, 8, 1}, {16, 32, 3}});
  std::vector<PictureBucket> rows = bucket_rows(model.aggregations().front(), std::nullopt);
  ASSERT_EQ(rows.size(), 5U);
  EXPECT_EQ(rows[1].low, 2);
  EXPECT_EQ(rows[1].count, 0);
  EXPECT_EQ(rows[2].count, 3);
  EXPECT_EQ(rows[3].high, 16);
  EXPECT_EQ(bucket_rows(model.aggregations().front(), 1).size(), 1U);
  std::vector<PictureBucket> joined = join_buckets(rows, 3);
  ASSERT_EQ(joined.size(), 3U);
  EXPECT_EQ(joined[0].high, 4);
  EXPECT_EQ(joined[0].count, 5);
  EXPECT_EQ(joined[2].high, 32);
}

TEST(BucketRows, OutermostBucketsDoNotOverflow) {
  RunModel model = quantize_model({{INT64_MIN, -64, 1}, {0, 1, 1}, {int64_t{1} << 62, INT64_MAX, 1}});
  std::vector<PictureBucket> rows = bucket_rows(model.aggregations().front(), 0);
  ASSERT_GE(rows.size(), 3U);
  for (size_t i = 1; i < rows.size(); ++i) EXPECT_EQ(rows[i - 1].high, rows[i].low);
  EXPECT_EQ(rows.back().high, INT64_MAX);
}

TEST(HeatGrid, DividesIntervalsAmongColumns) {
  RunModel model = quantize_model({{1, 2, 8}});
  model.add({.time_ns = 2 * second, .changes = {{0, 0, {.numbers = {}, .buckets = {{1, 2, 8}, {4, 8, 12}}}}}});
  HeatHistory history;
  const AggregationModel& aggregation = model.aggregations().front();
  HeatGrid grid = history.grid(aggregation, std::nullopt, bucket_rows(aggregation, std::nullopt), second / 2, 6);
  ASSERT_EQ(grid.columns.size(), 6U);
  EXPECT_EQ(grid.end_ns, 2 * second);
  EXPECT_DOUBLE_EQ(grid.columns[5][2], 6);
  EXPECT_DOUBLE_EQ(grid.columns[4][2], 6);
  EXPECT_DOUBLE_EQ(grid.columns[3][0], 4);
  EXPECT_DOUBLE_EQ(grid.columns[3][2], 1);
  EXPECT_DOUBLE_EQ(grid.columns[1][0], 0);
  HeatGrid one = history.grid(aggregation, 1, bucket_rows(aggregation, std::nullopt), second, 2);
  EXPECT_DOUBLE_EQ(one.columns[0][2], 2);
  EXPECT_DOUBLE_EQ(one.columns[1][2], 0);
}

TEST(HeatGrid, PercentilesAreBoundsOfBuckets) {
  EXPECT_EQ(percentile_bound({{1, 2, 50}, {2, 4, 49}, {4, 8, 1}}, 0.5), 2);
  EXPECT_EQ(percentile_bound({{1, 2, 50}, {2, 4, 49}, {4, 8, 1}}, 0.999), 8);
  EXPECT_EQ(percentile_bound({}, 0.5), 0);
}

}  // namespace
}  // namespace dscope::test
