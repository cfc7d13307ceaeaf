// --merge: adding up results, by function, and the inputs that it accepts.
#include <random>

#include "merge_fixture.h"

namespace dscope::test {
namespace {

// The data of @a after merging.
std::string merged_data(const std::vector<std::string>& results) {
  Merged merged = merge(results, "json");
  EXPECT_EQ(merged.refusal, "");
  size_t begin = merged.out.find("\"aggregation-data\":");
  return merged.out.substr(begin, merged.out.find('\n', begin) - begin);
}

std::string data(const std::string& elements) { return "\"aggregation-data\":[" + elements + "]}"; }

TEST(Merge, CountsAndSumsAreAdded) {
  std::string first = R"({"keys":["x"],"count":9007199254740993},{"keys":["y"],"count":9007199254740995})";
  std::string second = R"({"keys":["y"],"count":1},{"keys":["z"],"count":4})";
  EXPECT_EQ(merged_data({result_of("count", first), result_of("count", second)}),
            data(R"({"keys":["z"],"count":4},{"keys":["x"],"count":9007199254740993},)"
                 R"({"keys":["y"],"count":9007199254740996})"));
  EXPECT_EQ(merged_data({result_of("sum", R"({"keys":[],"sum":-9223372036854775808})"),
                         result_of("sum", R"({"keys":[],"sum":9223372036854775807})")}),
            data(R"({"keys":[],"sum":-1})"));
}

TEST(Merge, ExtremesAreCompared) {
  EXPECT_EQ(merged_data({result_of("min", R"({"keys":[],"min":9223372036854775807})"),
                         result_of("min", R"({"keys":[],"min":-9223372036854775808})")}),
            data(R"({"keys":[],"min":-9223372036854775808})"));
  EXPECT_EQ(merged_data({result_of("max", R"({"keys":[1],"max":-7})"), result_of("max", R"({"keys":[1],"max":-3})")}),
            data(R"({"keys":[1],"max":-3})"));
}

TEST(Merge, AveragesAreExact) {
  std::string first = R"({"keys":[],"avg":3,"exact":{"count":2,"sum":7}})";
  std::string second = R"({"keys":[],"avg":1,"exact":{"count":1,"sum":1}})";
  EXPECT_EQ(merged_data({result_of("avg", first), result_of("avg", second)}),
            data(R"({"keys":[],"avg":2,"exact":{"count":3,"sum":8}})"));
}

// 2^64 - 1 and 1: the carry enters the high word.
TEST(Merge, SquaresHave128Bits) {
  std::string first = R"({"keys":[],"stddev":0,"exact":{"count":1,"sum":0,"sum-of-squares":"18446744073709551615"}})";
  std::string second = R"({"keys":[],"stddev":0,"exact":{"count":1,"sum":0,"sum-of-squares":"1"}})";
  EXPECT_EQ(merged_data({result_of("stddev", first), result_of("stddev", second)}),
            data(R"({"keys":[],"stddev":3037000499,"exact":{"count":2,"sum":0,)"
                 R"("sum-of-squares":"18446744073709551616"}})"));
}

TEST(Merge, BucketsAreAdded) {
  std::string first = R"({"keys":[],"buckets":[{"value":-8,"count":0},{"value":-4,"count":2},{"value":-2,"count":0}]})";
  std::string second =
      R"({"keys":[],"buckets":[{"value":-4,"count":3},{"value":-2,"count":0},{"value":-1,"count":1}]})";
  EXPECT_EQ(merged_data({result_of("quantize", first), result_of("quantize", second)}),
            data(R"({"keys":[],"buckets":[{"value":-8,"count":0},{"value":-4,"count":5},{"value":-2,"count":0},)"
                 R"({"value":-1,"count":1},{"value":0,"count":0}]})"));
  std::string extremes = R"({"keys":[],"buckets":[{"value":-9223372036854775808,"count":1},)"
                         R"({"value":4611686018427387904,"count":1}]})";
  EXPECT_EQ(merge({result_of("quantize", extremes)}).refusal,
            "a.json: @a has a bucket that its function does not have");
  std::string outermost = R"({"value":-4611686018427387904,"count":2})";
  std::string whole = merged_data({result_of("quantize", R"({"keys":[],"buckets":[)" + outermost + "]}")});
  EXPECT_NE(whole.find(outermost), std::string::npos) << whole;
}

const std::string linear = R"(,"aggregation-parameters":{"base":-10,"levels":2,"step":10})";

TEST(Merge, LinearBucketsNeedEqualParameters) {
  std::string low = R"({"keys":[],"buckets":[{"value":-10,"relation":"<","count":2},{"value":-10,"count":0}]})";
  std::string high = R"({"keys":[],"buckets":[{"value":0,"count":0},{"value":10,"relation":">=","count":5}]})";
  EXPECT_EQ(merged_data({result_of("lquantize", low, linear), result_of("lquantize", high, linear)}),
            data(R"({"keys":[],"buckets":[{"value":-10,"relation":"<","count":2},{"value":-10,"count":0},)"
                 R"({"value":0,"count":0},{"value":10,"relation":">=","count":5}]})"));
  std::string other = R"(,"aggregation-parameters":{"base":-10,"levels":2,"step":20})";
  std::string element = R"({"keys":[],"buckets":[{"value":10,"count":1}]})";
  EXPECT_EQ(merge({result_of("lquantize", low, linear), result_of("lquantize", element, other)}).refusal,
            "@a cannot be merged: base -10, 2 levels, step 10 in a.json, base -10, 2 levels, step 20 in b.json");
}

TEST(Merge, LogarithmicBucketsAreAdded) {
  std::string parameters = R"(,"aggregation-parameters":{"factor":10,"low":1,"high":2,"steps":10})";
  std::string first = R"({"keys":[],"buckets":[{"value":10,"relation":"<","count":1},{"value":20,"count":2}]})";
  std::string second = R"({"keys":[],"buckets":[{"value":-20,"count":3},{"value":10,"relation":"abs() <","count":4},)"
                       R"({"value":1000,"relation":">=","count":1}]})";
  std::string text =
      merged_data({result_of("llquantize", first, parameters), result_of("llquantize", second, parameters)});
  for (const char* bucket : {R"({"value":-20,"count":3})", R"({"value":10,"relation":"abs() <","count":5})",
                             R"({"value":20,"count":2})", R"({"value":1000,"relation":">=","count":1})"})
    EXPECT_NE(text.find(bucket), std::string::npos) << bucket << " in " << text;
}

TEST(Merge, PercentilesComeFromBuckets) {
  std::string parameters = R"(,"aggregation-parameters":{"percentiles":["50","99"],"signed":true})";
  std::string first = R"({"keys":[],"percentile":{"p50":1,"p99":1},"exact":{"buckets":[{"value":1,"count":3}]}})";
  std::string second = R"({"keys":[],"percentile":{"p50":-5,"p99":-5},"exact":{"buckets":[{"value":-5,"count":4}]}})";
  EXPECT_EQ(merged_data({result_of("percentile", first, parameters), result_of("percentile", second, parameters)}),
            data(R"({"keys":[],"percentile":{"p50":-5,"p99":1},"exact":{"buckets":[{"value":-5,"count":4},)"
                 R"({"value":1,"count":3}]}})"));
  std::string without = R"({"keys":[],"percentile":{"p50":1,"p99":1}})";
  EXPECT_EQ(merge({result_of("percentile", without, parameters)}).refusal,
            "a.json: @a cannot be merged: percentile() needs the member \"exact\"");
}

TEST(Merge, NormalizedValuesKeepTheirRest) {
  std::string first = R"({"keys":[],"sum":1,"exact":{"value":15}})";
  std::string second = R"({"keys":[],"sum":0,"exact":{"value":5}})";
  std::string normal = ",\"normal\":10";
  EXPECT_EQ(merged_data({result_of("sum", first, normal), result_of("sum", second, normal)}),
            data(R"({"keys":[],"sum":2,"exact":{"value":20}})"));
  EXPECT_EQ(merge({result_of("sum", first, normal), result_of("sum", R"({"keys":[],"sum":1})")}).refusal,
            "@a cannot be merged: normalized by 10 in a.json, normalized by 1 in b.json");
}

TEST(Merge, RefusesDifferentFunctionsAndKeys) {
  std::string text = R"({"keys":["x"],"count":1})", number = R"({"keys":[1],"count":1})";
  EXPECT_EQ(merge({result_of("count", text), result_of("sum", R"({"keys":["x"],"sum":1})")}).refusal,
            "@a cannot be merged: count() in a.json, sum() in b.json");
  EXPECT_EQ(merge({result_of("count", text), result_of("count", number)}).refusal,
            "@a cannot be merged: keys (string) in a.json, keys (int64) in b.json");
}

// Addresses differ between machines.
TEST(Merge, StacksAreEqualByTheirText) {
  auto stack = [](const std::string& address) {
    return R"({"keys":[{"stack-frames":[{"symbol":"vmlinux`vfs_read+0x10","module":"vmlinux","name":"vfs_read",)"
           R"("offset":16,"address":)" +
           address + R"(}]}],"count":2})";
  };
  std::vector<std::string> results = {result_of("count", stack("4096")), result_of("count", stack("8192"))};
  EXPECT_EQ(merge(results).out, "\n\n              vmlinux`vfs_read+0x10\n                4\n");
  EXPECT_EQ(merge(results, "folded").out, "vmlinux`vfs_read 4\n");
  EXPECT_EQ(merged_data(results),
            data(R"({"keys":[{"stack-frames":[{"symbol":"vmlinux`vfs_read+0x10","module":"vmlinux","name":"vfs_read",)"
                 R"("offset":16}]}],"count":4})"));
}

TEST(Merge, KeysOfSeveralKindsMayMix) {
  std::string elements = R"({"keys":[{"sym":"vmlinux`f"}],"count":1},{"keys":[{"mod":"ext4"}],"count":2},)"
                         R"({"keys":[{"usym":"prog`main"}],"count":3})";
  Merged merged = merge({result_of("count", elements, R"(,"aggregation-keys":[{"type":"address"}])")}, "csv");
  EXPECT_EQ(merged.refusal, "");
  EXPECT_EQ(merged.out, "key1,@a\nvmlinux`f,1\next4,2\nprog`main,3\n");
}

TEST(Merge, LastSnapshotOfEachResultCounts) {
  auto row = [](const std::string& count) {
    return R"({"type":"row","timestamp":3,"output":[{"aggregation-name":"a","aggregation-function":"count",)"
           R"("aggregation-data":[{"keys":[],"count":)" +
           count + "}]}]}\n";
  };
  EXPECT_EQ(merged_data({row("1") + row("4") + exit_line, row("2") + exit_line}), data(R"({"keys":[],"count":6})"));
}

std::string text_row(int time, const std::string& text) {
  return R"({"type":"row","timestamp":)" + std::to_string(time) + R"(,"output":[{"message":")" + text +
         R"("},{"value":1}]})" + "\n";
}

TEST(Merge, RowsAreInTheOrderOfTime) {
  std::vector<std::string> results = {text_row(1, "a\\nb\\n") + text_row(4, "d") + exit_line,
                                      text_row(2, "c") + exit_line};
  EXPECT_EQ(merge(results).out, "a.json: a\na.json: b\nb.json: c\na.json: d\n\n");
  std::string json = merge(results, "json").out;
  EXPECT_EQ(json.substr(0, json.find('\n')),
            R"({"type":"row","timestamp":1,"output":[{"message":"a\nb\n"},{"value":1}],"input":"a.json"})");
  Merged csv = merge(results, "csv");
  EXPECT_EQ(csv.out, "");
  EXPECT_EQ(csv.messages, "dscope: 3 rows are left out: this format prints aggregations only\n");
}

TEST(Merge, RowsWithoutItemsHaveNoText) {
  std::string row = "{\"type\":\"row\",\"timestamp\":1,\"output\":[]}\n";
  EXPECT_EQ(merge({row + exit_line}).out, "\n");
  EXPECT_EQ(merge({row + exit_line}, "csv").messages, "");
}

TEST(Merge, MergedResultsMergeAgain) {
  std::vector<std::string> results = {text_row(1, "a") + result_of("count", R"({"keys":["x"],"count":1})"),
                                      result_of("count", R"({"keys":["x"],"count":2})")};
  EXPECT_EQ(merge({merge(results, "json").out}).out, merge(results).out);
}

std::string prefixed(const std::string& host, const std::string& text) {
  std::istringstream stream(text);
  std::string lines;
  for (std::string line; std::getline(stream, line);) lines += host + ": " + line + "\n";
  return lines;
}

TEST(Merge, LinesOfHostsMayMix) {
  std::string first = prefixed("web-1", text_row(2, "b") + result_of("count", R"({"keys":[],"count":1})"));
  std::string second = prefixed("web-2", text_row(1, "a") + result_of("count", R"({"keys":[],"count":2})"));
  std::string mixed;
  for (size_t i = 0, j = 0; i < first.size();) {
    size_t end = first.find('\n', i) + 1, other = second.find('\n', j) + 1;
    mixed += first.substr(i, end - i) + second.substr(j, other - j);
    i = end;
    j = other;
  }
  Merged merged = merge({mixed});
  EXPECT_EQ(merged.out, "web-2: a\nweb-1: b\n\n                3\n");
  EXPECT_EQ(merged.messages, "");
  EXPECT_EQ(merged.status, 0);
}

TEST(Merge, AStreamMayHaveOneResultAfterTheOther) {
  std::string result = result_of("count", R"({"keys":[],"count":2})");
  EXPECT_EQ(merge({result + result + result}).out, "\n                6\n");
}

TEST(Merge, DropsAndFaultsAreReported) {
  std::string drop = R"({"type":"drop","timestamp":1,"kind":"DTRACEDROP_AGGREGATION","count":2,"total":2,"msg":"x"})";
  std::string fault = R"({"type":"fault","timestamp":2,"fault":"invalid address","msg":"x"})";
  Merged merged = merge({exit_line, drop + "\n" + drop + "\n" + fault + "\n" + exit_line}, "json");
  EXPECT_EQ(merged.messages, "merged: 4 aggregation drops in b.json\nmerged: 1 fault in b.json: invalid address\n");
  EXPECT_NE(merged.out.find(R"("input":"b.json")"), std::string::npos) << merged.out;
  EXPECT_EQ(merged.status, 0);
}

TEST(Merge, DamagedInputIsReportedAndTheRestMerged) {
  std::string whole = result_of("count", R"({"keys":[],"count":2})");
  Merged cut = merge({whole, whole.substr(0, whole.find("exit"))});
  EXPECT_EQ(cut.out, "\n                4\n");
  EXPECT_EQ(cut.messages,
            "b.json has 1 damaged line, which is left out: line 2 is cut off\n"
            "b.json has no end: the run was killed, or its output was cut off\n");
  EXPECT_EQ(cut.status, 1);
  Merged other = merge({whole, "hello\n"});
  EXPECT_EQ(other.out, "\n                2\n");
  EXPECT_EQ(other.messages, "b.json has no result of --format=json\nb.json has 1 line of other output: `hello`\n");
  EXPECT_EQ(other.status, 1);
}

TEST(Merge, OutputOfTheCommandIsNoDamage) {
  Merged merged = merge({"vm\n" + result_of("count", R"({"keys":[],"count":2})")});
  EXPECT_EQ(merged.out, "\n                2\n");
  EXPECT_EQ(merged.messages, "a.json has 1 line of other output: `vm`\n");
  EXPECT_EQ(merged.status, 0);
}

TEST(Merge, StatusIsTheHighestOne) {
  std::string failed = "{\"type\":\"exit\",\"timestamp\":9,\"status\":3}\n";
  EXPECT_EQ(merge({exit_line, failed}).status, 3);
  EXPECT_NE(merge({exit_line, failed}, "json").out.find("\"status\":3"), std::string::npos);
}

// Whatever the input is, a merge ends with output, messages or a refusal.
TEST(Merge, SurvivesChangedInput) {
  const std::string parameters = R"(,"aggregation-keys":[{"type":"string","name":"k"}],)"
                                 R"("aggregation-parameters":{"factor":10,"low":0,"high":2,"steps":10,"base":0,)"
                                 R"("levels":2,"step":10,"percentiles":["50"],"signed":true})";
  std::vector<std::string> seeds;
  for (const char* function : {"count", "sum", "min", "avg", "stddev"})
    seeds.push_back(result_of(function,
                              std::string(R"({"keys":["x"],")") + function +
                                  R"(":1,"exact":{"value":1,"count":1,"sum":1,"sum-of-squares":"1"}})",
                              parameters));
  for (const char* function : {"quantize", "lquantize", "llquantize", "percentile"})
    seeds.push_back(result_of(function,
                              R"({"keys":["x"],"buckets":[{"value":1,"count":1}],)"
                              R"("exact":{"buckets":[{"value":1,"count":1}]}})",
                              parameters));
  std::mt19937 random(1);
  constexpr std::string_view bytes = "{}[]\",:0123456789-e\x80\n";
  for (int round = 0; round < 4000; ++round) {
    std::string text = seeds[random() % seeds.size()];
    for (size_t changes = random() % 4 + 1; changes > 0; --changes) {
      size_t at = random() % text.size();
      if (random() % 3 == 0) text.erase(at, random() % 5 + 1);
      else text[at] = bytes[random() % bytes.size()];
      if (text.empty()) text = "{";
    }
    Merged merged = merge({seeds[random() % seeds.size()], text}, round % 2 == 0 ? "text" : "json");
    EXPECT_FALSE(merged.out.empty() && merged.refusal.empty()) << text;
  }
}

}  // namespace
}  // namespace dscope::test
