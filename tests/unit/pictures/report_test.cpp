#include <gtest/gtest.h>
#include <zlib.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "pictures/pictures_fixture.h"
#include "pictures/report/report_json.h"
#include "pictures/report/report_writer.h"
#include "tests/browser/canned_runs.h"

namespace dscope::test {
namespace {

using nlohmann::json;

std::string from_base64(const std::string& text) {
  static const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  uint32_t group = 0, bits = 0;
  for (char digit : text) {
    if (digit == '=') break;
    group = group << 6 | static_cast<uint32_t>(digits.find(digit));
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(group >> bits & 255);
  }
  return bytes;
}

std::string gunzip(std::string bytes) {
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string text, buffer(65536, '\0');
  int result = Z_OK;
  while (result == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = static_cast<uInt>(buffer.size());
    result = inflate(&stream, Z_NO_FLUSH);
    text.append(buffer, 0, buffer.size() - stream.avail_out);
  }
  EXPECT_EQ(result, Z_STREAM_END);
  inflateEnd(&stream);
  return text;
}

// The content of the element <script id="NAME">.
std::string embedded(const std::string& html, const std::string& name) {
  std::string start = "id=\"" + name + "\">";
  size_t begin = html.find(start) + start.size();
  return html.substr(begin, html.find("</script>", begin) - begin);
}

json document_of(const RunModel& model) { return json::parse(report_json(model)); }

TEST(ReportJson, NumbersStayExact) {
  RunModel model{start_with({{.name = "s", .function = AggregationFunction::Sum},
                             {.name = "u", .function = AggregationFunction::Sum, .is_unsigned = true}})};
  model.add({.time_ns = second,
             .new_elements = {{.aggregation = 0}, {.aggregation = 0}, {.aggregation = 1}},
             .changes = {change(0, 0, (int64_t{1} << 53) + 1), change(0, 1, -5), change(1, 0, -1)}});
  json document = document_of(model);
  EXPECT_EQ(document["aggregations"][0]["values"], json::parse(R"(["9007199254740993", -5])"));
  EXPECT_EQ(document["aggregations"][1]["values"][0], "18446744073709551615");
}

TEST(ReportJson, StacksShareTheirCallers) {
  RunModel model{start_with({counted("_", {"stack()"})})};
  auto stack = [](std::vector<PictureFrame> frames) {
    return std::vector<PictureKey>{{.kind = KeyKind::Stack, .text = {}, .frames = std::move(frames)}};
  };
  PictureFrame read{"vmlinux`vfs_read", true}, main{"a`main", false};
  model.add({.time_ns = second,
             .new_elements = {{0, stack({read, main})},
                              {0, stack({main})},
                              {0, stack({})},
                              {0, stack({{"a`f [inlined] (a.c:1)", false}, main})},
                              {0, stack({{"perf-7.map`g", false}, {"0x1234", false}})}},
             .changes = {change(0, 0, 1)}});
  json document = document_of(model);
  EXPECT_EQ(document["aggregations"][0]["keys"][0]["values"], json({1, 0, -1, 2, 4}));
  EXPECT_EQ(document["stacks"]["kind"], "ukixj");
  EXPECT_EQ(document["stacks"]["frame"], json({0, 1, 2, 3, 4}));
  EXPECT_EQ(document["stacks"]["parent"], json({0, 1, 2, 0, 1}));
}

TEST(ReportJson, RemovedElementsAreCounted) {
  RunModel model{start_with({counted("c", {"k"})})};
  model.add({.time_ns = second,
             .new_elements = {{0, {text_key("a")}}, {0, {text_key("b")}}},
             .changes = {change(0, 0, 1), change(0, 1, 2)}});
  model.add({.time_ns = 2 * second, .changes = {{.aggregation = 0, .element = 0, .value = {}, .is_removed = true}}});
  json aggregation = document_of(model)["aggregations"][0];
  EXPECT_EQ(aggregation["removed"], 1);
  EXPECT_EQ(aggregation["keys"][0]["values"], json({"b"}));
  EXPECT_EQ(aggregation["values"], json({2}));
  EXPECT_EQ(aggregation["history"]["elements"], json({0}));
}

TEST(ReportJson, GapsBetweenBucketsAreFilled) {
  RunModel model{start_with({{.name = "q", .function = AggregationFunction::Quantize},
                             {.name = "l", .function = AggregationFunction::Lquantize}})};
  constexpr int64_t least = std::numeric_limits<int64_t>::min(), most = std::numeric_limits<int64_t>::max();
  model.add({.time_ns = second,
             .new_elements = {{.aggregation = 0}, {.aggregation = 1}},
             .changes = {
                 {.aggregation = 0, .element = 0, .value = {.buckets = {{4, 8, 1}, {32, 64, 1}}}},
                 {.aggregation = 1, .element = 0, .value = {.buckets = {{least, 0, 3}, {10, 20, 1}, {50, most, 2}}}}}});
  json document = document_of(model);
  EXPECT_EQ(document["aggregations"][0]["buckets"], json::parse("[[4,8],[8,16],[16,32],[32,64]]"));
  EXPECT_EQ(document["aggregations"][0]["values"][0], json({0, 1, 3, 1}));
  EXPECT_EQ(
      document["aggregations"][1]["buckets"],
      json::parse(R"([["-9223372036854775808",0],[0,10],[10,20],[20,30],[30,40],[40,50],[50,"9223372036854775807"]])"));
}

TEST(ReportJson, HistoryIsBoundedAndAddsUp) {
  RunModel model{start_with({counted("_", {"stack()"})})};
  for (uint32_t i = 0; i < 30; ++i)
    model.add(
        {.time_ns = i + 1,
         .new_elements = {{0, {{.kind = KeyKind::Stack, .text = {}, .frames = {{"f" + std::to_string(i), false}}}}}}});
  for (int64_t step = 1; step <= 1000; ++step) {
    RunUpdate update{.time_ns = step * second};
    for (uint32_t i = 0; i < 30; ++i) update.changes.push_back(change(0, i, step * (i + 1)));
    model.add(std::move(update));
  }
  json history = document_of(model)["aggregations"][0]["history"];
  EXPECT_LE(history["ends"].size(), 240U);
  ASSERT_EQ(history["series"].size(), 20U);
  EXPECT_EQ(history["elements"][0], 29);
  int64_t total = 0, samples = 0, length = 0;
  for (const json& column : history["total"]) total += column.is_null() ? 0 : column.get<int64_t>();
  for (const json& end : history["ends"]) length += end.get<int64_t>();
  for (const json& cells : history["samples"]["cells"])
    for (size_t i = 1; i < cells.size(); i += 2) samples += cells[i].get<int64_t>();
  EXPECT_EQ(total, 1000 * 30 * 31 / 2);
  EXPECT_EQ(samples, total);
  EXPECT_EQ(length, 1000 * second);
  EXPECT_EQ(history["samples"]["joined"], 1);
}

TEST(ReportJson, TextsAreVisibleUtf8) {
  std::string text = report_json(hostile_run());
  EXPECT_TRUE(json::accept(text));
  for (char byte : text) EXPECT_GE(static_cast<unsigned char>(byte), 0x20) << "control character in the document";
  json document = json::parse(text);
  EXPECT_NE(document["run"]["host"].get<std::string>().find("^[[31m M-^?^A"), std::string::npos);
  EXPECT_EQ(document["run"]["host"].get<std::string>().find("\xE2\x80\xA8"), std::string::npos);
}

TEST(ReportJson, RowsFaultsAndDrops) {
  json document = document_of(row_run());
  EXPECT_EQ(document["rows"]["count"], 20'000);
  EXPECT_EQ(document["rows"]["dropped"], 17 + 2317);
  EXPECT_EQ(document["rows"]["expired"], 0);
  EXPECT_EQ(document["rows"]["probes"], json({"syscall:vmlinux:read:entry", "fbt:vmlinux:vfs_read:entry",
                                              "fbt:vmlinux:vfs_read:return", "syscall:vmlinux:read:return"}));
  EXPECT_EQ(document["rows"]["fired"][2], 3'000'000);
  EXPECT_EQ(document["rows"]["time"][1], 1'500'000);
  EXPECT_EQ(document["faults"]["count"], 3);
  EXPECT_EQ(document["drops"]["count"], 2317);
  EXPECT_EQ(document["run"]["exit_status"], 1);
}

TEST(Report, HoldsTheDocument) {
  RunModel model = number_run();
  std::string html = report_html(model);
  EXPECT_EQ(gunzip(from_base64(embedded(html, "data"))), report_json(model));
}

TEST(Report, TheSameModelGivesTheSameBytes) {
  EXPECT_EQ(report_html(stack_run(3)), report_html(stack_run(3)));
  EXPECT_EQ(report_html(hostile_run()), report_html(hostile_run()));
}

// Data is only in the element with the id "data": everything else is the page.
TEST(Report, TextsCannotChangeThePage) {
  auto without_data = [](std::string html) {
    std::string data = embedded(html, "data");
    return html.erase(html.find(data), data.size());
  };
  EXPECT_EQ(without_data(report_html(hostile_run())), without_data(report_html(empty_run())));
  static const std::regex base64("[A-Za-z0-9+/]+=*");
  EXPECT_TRUE(std::regex_match(embedded(report_html(empty_run()), "data"), base64));
}

TEST(Report, AllowsNoRequests) {
  std::string html = report_html(empty_run());
  EXPECT_NE(html.find("default-src 'none'; script-src 'sha256-"), std::string::npos);
  std::string script = gunzip(from_base64(embedded(html, "code")));
  for (const char* word : {"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "http://"})
    EXPECT_EQ(script.find(word), std::string::npos) << word;
  EXPECT_EQ(html.find("http"), html.find("http-equiv"));
}

TEST(Report, LivePageMayAskItsServerOnly) {
  std::string html = live_page_html();
  EXPECT_NE(html.find("default-src 'none'; connect-src 'self'; script-src 'sha256-"), std::string::npos);
  EXPECT_EQ(embedded(html, "data"), "");
  EXPECT_EQ(embedded(html, "code"), embedded(report_html(empty_run()), "code"));
}

TEST(Report, IsSmall) {
  EXPECT_LE(report_html(empty_run()).size(), 60U * 1024);
  EXPECT_LE(report_html(large_run()).size(), 1024U * 1024);
}

}  // namespace
}  // namespace dscope::test
