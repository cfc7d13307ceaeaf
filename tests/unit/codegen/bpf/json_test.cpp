// json(): elements of JSON texts, checked by examples and against a recursive model.
#include "destination.h"
#include "model.h"

namespace dscope {
namespace {

constexpr const char* missing = "(missing)";

std::string json(const std::string& text, const std::string& path, size_t max_length = 256) {
  Buffer source(capacity_for(text.size()), text), element(capacity_for(path.size()), path);
  Destination destination(max_length);
  i64 found = ds_json(destination.buffer.data(), source.data(), destination.sizes(source, element), element.data());
  std::string value = destination.buffer.text();
  if (found == 0) return value;
  EXPECT_EQ(found, -1);
  EXPECT_EQ(value, "");
  return missing;
}

TEST(SupportJson, ReturnsEveryKindOfValue) {
  const std::string text = R"( { "s": "text" , "n":-12.5e+3, "t":true, "f":false,"z" : null, "e":"", "q":"a\"b\\" } )";
  EXPECT_EQ(json(text, "s"), "text");
  EXPECT_EQ(json(text, "n"), "-12.5e+3");
  EXPECT_EQ(json(text, "t"), "true");
  EXPECT_EQ(json(text, "f"), "false");
  EXPECT_EQ(json(text, "z"), "null");
  EXPECT_EQ(json(text, "e"), "");
  EXPECT_EQ(json(text, "q"), R"(a\"b\\)") << "escapes are kept";
  EXPECT_EQ(json(text, "x"), missing);
  EXPECT_EQ(json(text, "st"), missing);
  EXPECT_EQ(json(text, ""), missing);
}

TEST(SupportJson, FollowsObjectsAndArrays) {
  const std::string text = R"({"a":{"b":[10,{"c":"deep","d":[]},[20,21]],"a":1},"k":[ ]})";
  EXPECT_EQ(json(text, "a.b[0]"), "10");
  EXPECT_EQ(json(text, "a.b[1].c"), "deep");
  EXPECT_EQ(json(text, "a.b[1].d"), "[]");
  EXPECT_EQ(json(text, "a.b[2][1]"), "21");
  EXPECT_EQ(json(text, "a.b[2]"), "[20,21]");
  EXPECT_EQ(json(text, "a.b[1]"), R"({"c":"deep","d":[]})");
  EXPECT_EQ(json(text, "a.a"), "1");
  EXPECT_EQ(json(text, "a.b[3]"), missing);
  EXPECT_EQ(json(text, "a.b.c"), missing);
  EXPECT_EQ(json(text, "a.b[0].c"), missing);
  EXPECT_EQ(json(text, "k[0]"), missing);
  EXPECT_EQ(json(text, "k"), "[ ]");
  EXPECT_EQ(json("[1,[2,3]]", "[1][0]"), "2");
  EXPECT_EQ(json(R"({"":1})", ""), missing) << "an empty path names nothing";
  EXPECT_EQ(json("[1,[2,3]]", "1[1]"), "3") << "both index syntaxes work";
  EXPECT_EQ(json("[1,2]", "[999999999999]"), missing);
  EXPECT_EQ(json("[1,2]", "[x]"), missing);
  EXPECT_EQ(json("[1,2]", "[]"), missing);
}

TEST(SupportJson, MatchesKeysWithDotsAndBrackets) {
  const std::string text = R"({"a.b":{"c[0]":7,"\"":8},"0":9})";
  EXPECT_EQ(json(text, R"(["a.b"]["c[0]"])"), "7");
  EXPECT_EQ(json(text, "a.b"), missing);
  EXPECT_EQ(json(text, "[0]"), "9");
}

TEST(SupportJson, FirstOfEqualKeysWins) { EXPECT_EQ(json(R"({"a":1,"a":2})", "a"), "1"); }

TEST(SupportJson, RejectsMalformedInput) {
  for (const char* text : {"", " ", "a", "\"a\":1", "{a:1}", "{\"a\" 1}", "{\"a\":", "{\"a\":1", "{\"a\":\"x",
                           "{\"a\":?}", "{\"a\":tru}", "{\"a\":truee}", "{\"a\":nil}", "{\"b\":nothing,\"a\":1}",
                           "{\"b\":1;\"a\":2}", "{\"b\":}", "{,\"a\":1}", "{\"a\":]}"})
    EXPECT_EQ(json(text, "a"), missing) << text;
}

TEST(SupportJson, TruncatesResults) {
  EXPECT_EQ(json(R"({"a":"0123456789"})", "a", 4), "0123");
  EXPECT_EQ(json(R"({"a":"0123456789"})", "a", 0), "");
}

// A random value. Its members have short names, so that random paths often match.
std::string random_json(Random& random, int depth) {
  auto white = [&] { return std::string(random.chance(4) ? random.below(3) : 0, random.chance(2) ? ' ' : '\n'); };
  uint64_t kind = random.below(depth == 0 ? 4 : 6);
  if (kind == 0) return std::to_string(random.number());
  if (kind == 1) return random.chance(2) ? "true" : "null";
  if (kind <= 3) return "\"" + random.string(8, "ab{}[],:. ") + (random.chance(4) ? "\\\"" : "") + "\"";
  bool is_array = kind == 4;
  std::string text = is_array ? "[" : "{";
  uint64_t count = random.below(4);
  for (uint64_t i = 0; i < count; ++i) {
    text += (i == 0 ? "" : ",") + white();
    if (!is_array) text += "\"" + random.string(2, "ab.[") + "\"" + white() + ":" + white();
    text += random_json(random, depth - 1) + white();
  }
  return text + (is_array ? "]" : "}");
}

TEST(SupportJson, MatchesModel) {
  Random random(77);
  int found = 0;
  for (int round = 0; round < 60000; ++round) {
    std::string text = random_json(random, 4);
    if (random.chance(8)) text.resize(random.below(text.size() + 1));
    std::vector<std::string> path;
    std::string written;
    do {
      bool is_index = random.chance(2);
      path.push_back(is_index ? std::to_string(random.below(4)) : random.string(2, "ab.["));
      written += is_index ? "[" + path.back() + "]" : "[\"" + path.back() + "\"]";
    } while (random.chance(2));
    auto expected = model::json(text, path);
    found += expected.has_value() ? 1 : 0;
    ASSERT_EQ(json(text, written, 1000), expected.value_or(missing)) << text << "  " << written;
  }
  EXPECT_GT(found, 1000);
}

TEST(SupportJson, SurvivesAnyText) {
  Random random(78);
  for (int round = 0; round < 20000; ++round) {
    std::string text = "{\"a\":" + random.string(30, "{}[]\"\\:,.ab01 -");
    json(text, random.string(8, "ab.[]\"01"));
  }
}

}  // namespace
}  // namespace dscope
