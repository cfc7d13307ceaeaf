// SVG pictures of runs.
#include "pictures/profile/svg_picture.h"

#include <gtest/gtest.h>

#include "pictures/pictures_fixture.h"
#include "pictures/profile/svg_canvas.h"
#include "pictures/profile/svg_style.h"

namespace dscope::test {
namespace {

PictureKey stack_of(std::vector<std::string> frames) {
  PictureKey key{.kind = KeyKind::Stack, .text = {}, .frames = {}};
  for (std::string& frame : frames) key.frames.push_back({.text = std::move(frame), .is_kernel = false});
  return key;
}

size_t count_of(const std::string& text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

std::string picture_of(PictureAggregation info, std::vector<std::pair<PictureKey, int64_t>> elements) {
  RunModel model{start_with({std::move(info)})};
  RunUpdate update{.time_ns = second};
  for (uint32_t i = 0; i < elements.size(); ++i) {
    update.new_elements.push_back({.aggregation = 0, .keys = {elements[i].first}});
    update.changes.push_back(change(0, i, elements[i].second));
  }
  model.add(update);
  return svg_picture(model);
}

TEST(SvgText, EscapesMarkup) {
  EXPECT_EQ(xml_text("<a b=\"c\" d='e'>&amp;"), "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;amp;");
}

TEST(SvgText, HasOnlyCharactersOfXml) {
  EXPECT_EQ(xml_text(std::string("a\0b\x1b\n", 5)), "a^@b^[^J");
  EXPECT_EQ(xml_text("\xff\xc2\x80"), "M-^?M-BM-^@");
  EXPECT_EQ(xml_text("\xef\xbf\xbe ä \xef\xbf\xbf"), "\xef\xbf\xbd ä \xef\xbf\xbd");
}

TEST(SvgPicture, ShowsFramesWithTheirShares) {
  std::string svg =
      picture_of(counted("a", {"ustack()"}), {{stack_of({"x`f", "x`main"}), 3}, {stack_of({"x`main"}), 1}});
  EXPECT_EQ(count_of(svg, "<title>all: 4 (100.0 %)</title>"), 1U);
  EXPECT_EQ(count_of(svg, "<title>x`main: 4 (100.0 %)</title>"), 1U);
  EXPECT_EQ(count_of(svg, "<title>x`f: 3 (75.0 %)</title><rect x=\"16\""), 1U);
}

TEST(SvgPicture, SaysHowManyFramesAreCut) {
  std::string svg = picture_of(counted("a", {"ustack()"}), {{stack_of({"wide"}), 9999}, {stack_of({"narrow"}), 1}});
  EXPECT_EQ(count_of(svg, "1 of 3 frames are narrower than 0.1 % and not shown"), 1U);
  EXPECT_EQ(count_of(svg, "<title>narrow"), 0U);
}

TEST(SvgPicture, SaysHowManyBarsAreCut) {
  std::vector<std::pair<PictureKey, int64_t>> elements;
  for (int i = 0; i < 40; ++i) elements.emplace_back(text_key("key" + std::to_string(i)), i);
  std::string svg = picture_of(counted("a", {"execname"}), elements);
  EXPECT_EQ(count_of(svg, "the 30 greatest of 40 elements"), 1U);
  EXPECT_EQ(count_of(svg, "<title>key39: 39</title>"), 1U);
  EXPECT_EQ(count_of(svg, "<title>key9: 9</title>"), 0U);
}

TEST(SvgPicture, EscapesHostileTexts) {
  constexpr std::string_view attack = "</title></style>]]><script>alert(1)</script>";
  PictureAggregation info = counted(std::string(attack), {std::string(attack)});
  RunStart start = start_with({info});
  for (std::string* text : {&start.command_line, &start.host, &start.kernel, &start.program_name}) *text = attack;
  RunModel model{start};
  model.add({.time_ns = second,
             .new_elements = {{.aggregation = 0, .keys = {stack_of({std::string(attack)})}}},
             .changes = {change(0, 0, 1)}});
  std::string svg = svg_picture(model);
  EXPECT_EQ(count_of(svg, "<script"), 1U);
  EXPECT_EQ(count_of(svg, "]]>"), 2U);
}

TEST(SvgPicture, ShowsDistributionsOverTime) {
  PictureAggregation info{.name = "d", .function = AggregationFunction::Quantize, .keys = {}};
  RunModel model{start_with({info})};
  model.add({.time_ns = second,
             .new_elements = {{.aggregation = 0, .keys = {}}},
             .changes = {{.element = 0, .value = {.numbers = {}, .buckets = {{.low = 4, .high = 8, .count = 3}}}}}});
  model.add({.time_ns = 2 * second,
             .changes = {{.element = 0, .value = {.numbers = {}, .buckets = {{.low = 4, .high = 8, .count = 5}}}}}});
  std::string svg = svg_picture(model);
  EXPECT_EQ(count_of(svg, "<title>0 s to 1.00 s: 3 values, 4 to 7</title>"), 1U);
  EXPECT_EQ(count_of(svg, "<title>1.00 s to 2.00 s: 2 values, 4 to 7</title>"), 1U);
  EXPECT_EQ(count_of(svg, "<title>4 to 7: 5 values</title>"), 1U);
}

TEST(SvgPicture, WarnsOfLostData) {
  RunModel model{start_with({})};
  EXPECT_EQ(count_of(svg_picture(model), "drops: "), 0U);
  model.add({.time_ns = second, .lost_rows = 3, .drops = {{.text = "2 drops on CPU 0", .kind = "", .count = 2}}});
  EXPECT_EQ(count_of(svg_picture(model), ">drops: 2 · dropped rows: 3<"), 1U);
}

TEST(SvgStyle, FitsIntoACdataSection) {
  EXPECT_EQ(count_of(std::string(svg_script()), "]]>"), 0U);
  EXPECT_EQ(count_of(std::string(svg_style()), "]]>"), 0U);
}

}  // namespace
}  // namespace dscope::test
