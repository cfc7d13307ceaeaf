// Output as JSON (docs/json-output.md).
#include <nlohmann/json.hpp>
#include <regex>

#include "output_fixture.h"
#include "runtime/output/json_value.h"

namespace dscope::test {
namespace {

class JsonTest : public OutputTest {
 protected:
  JsonTest() { choose("format"); }
  void choose(const char* option) { ASSERT_TRUE(plan.options.set(option, "json", true, OptionOrigin::CommandLine)); }
  static std::string masked(const std::string& text) {
    return std::regex_replace(text, std::regex("\"timestamp\":[0-9]{19}"), "\"timestamp\":T");
  }
  // The items of the row's output.
  std::string items(CannedClause canned) {
    const std::string prefix =
        R"({"type":"row","timestamp":T,"cpu":0,"id":1,"provider":"dtrace","module":"","function":"","name":"BEGIN","output":[)";
    std::string text = masked(print(std::move(canned)));
    EXPECT_EQ(text.substr(0, prefix.size()), prefix);
    EXPECT_TRUE(text.ends_with("]}\n")) << text;
    return text.substr(prefix.size(), text.size() - prefix.size() - 3);
  }
  std::string traced(Field field, const Layout& layout) {
    CannedClause canned = clause();
    canned.layout = layout;
    return items(canned.action(Action::Trace, {field}));
  }
  static constexpr const char* exit_line = "{\"type\":\"exit\",\"timestamp\":T,\"status\":0}\n";
};

TEST_F(JsonTest, RowHasProbeAndTime) {
  uint32_t probe = add_probe("syscall", "vmlinux", "read", "entry");
  CannedClause canned = clause(probe);
  canned.cpu = 3;
  EXPECT_EQ(masked(print(canned)),
            "{\"type\":\"row\",\"timestamp\":T,\"cpu\":3,\"id\":4,\"provider\":\"syscall\",\"module\":\"vmlinux\","
            "\"function\":\"read\",\"name\":\"entry\",\"output\":[]}\n");
}

TEST_F(JsonTest, ClauseWithoutRowPrintsNothing) { EXPECT_EQ(print(clause(0, /*has_record=*/false)), ""); }

TEST_F(JsonTest, IntegersAreExact) {
  Layout record{sizeof(ds_record_header)};
  Field least = record.integer(INT64_MIN), most = record.integer(UINT64_MAX), small = record.integer(int8_t{-17});
  EXPECT_EQ(traced(least, record), "{\"value\":-9223372036854775808}");
  EXPECT_EQ(traced(most, record), "{\"value\":18446744073709551615}");
  EXPECT_EQ(traced(small, record), "{\"value\":-17}");
}

TEST_F(JsonTest, TextPreservesEveryByte) {
  EXPECT_EQ(json_text("caf\xc3\xa9 \xf0\x9f\x98\x80"), "caf\xc3\xa9 \xf0\x9f\x98\x80");
  // Bytes of invalid UTF-8 (stray, overlong, truncated, a surrogate) become U+EF00 + byte.
  EXPECT_EQ(json_text("\x80"), "\xee\xbe\x80");
  EXPECT_EQ(json_text("\xff"), "\xee\xbf\xbf");
  EXPECT_EQ(json_text("\xc0\xaf"), "\xee\xbf\x80\xee\xbe\xaf");
  EXPECT_EQ(json_text("a\xc3"), "a\xee\xbf\x83");
  EXPECT_EQ(json_text("\xed\xa0\x80"), "\xee\xbf\xad\xee\xbe\xa0\xee\xbe\x80");
  // A character in the escape range is escaped itself.
  EXPECT_EQ(json_text("\xee\xbe\x80"), "\xee\xbf\xae\xee\xbe\xbe\xee\xbe\x80");
  EXPECT_EQ(json_text("\xee\xbd\xbf"), "\xee\xbd\xbf");
}

TEST_F(JsonTest, StringsAreQuoted) {
  Layout record{sizeof(ds_record_header)};
  Field text = record.string("a\"\\\n\x01\x7f", 16);
  EXPECT_EQ(traced(text, record), "{\"value\":\"a\\\"\\\\\\n\\u0001\x7f\"}");
}

TEST_F(JsonTest, ObjectsAreTextOrBytes) {
  Layout record{sizeof(ds_record_header)};
  Field chars = record.raw(std::string("bash\0xyz", 8), /*is_char_array=*/true);
  Field bytes = record.raw(std::string("\0\xff", 2));
  EXPECT_EQ(traced(chars, record), "{\"value\":\"bash\"}");
  EXPECT_EQ(traced(bytes, record), "{\"value\":{\"bytes\":\"00ff\"}}");
}

TEST_F(JsonTest, PrintfHasTextAndValues) {
  CannedClause canned = clause();
  Field number = canned.layout.integer(-5), text = canned.layout.string("x", 8);
  canned.action(Action::Printf, {number, text});
  canned.plan.actions[0].format = add_format("%3d|%s\n");
  EXPECT_EQ(items(canned), R"({"message":" -5|x\n"},{"value":-5},{"value":"x"})");
}

TEST_F(JsonTest, StacksAreArraysOfFrames) {
  CannedClause canned = clause();
  Field stack = canned.layout.stack({kernel_base + 0x9000, kernel_base + 0x1010, kernel_base + 0x4004, 17, 0});
  canned.action(Action::Stack, {stack});
  EXPECT_EQ(items(canned),
            "{\"stack-frames\":["
            "{\"symbol\":\"vmlinux`vfs_read+0x10\",\"module\":\"vmlinux\",\"name\":\"vfs_read\",\"offset\":16,"
            "\"address\":18446744071578849296},"
            "{\"symbol\":\"ext4`0xffffffff81004004\",\"module\":\"ext4\",\"address\":18446744071578861572},"
            "{\"symbol\":\"0x11\",\"address\":17}]}");
  CannedClause user = clause();
  Field frames = user.layout.user_stack(42, {0x4000});
  EXPECT_EQ(items(user.action(Action::Ustack, {frames})),
            "{\"ustack-frames\":[{\"symbol\":\"prog`main\",\"module\":\"prog\",\"name\":\"main\",\"offset\":0,"
            "\"address\":16384}]}");
}

TEST_F(JsonTest, SymbolsAreKeyedByTheAction) {
  CannedClause canned = clause();
  Field sym = canned.layout.kernel_address(kernel_base + 0x2004, Action::Sym);
  Field mod = canned.layout.kernel_address(kernel_base + 0x3004, Action::Mod);
  Field uaddr = canned.layout.user_address(42, 0x4010, Action::Uaddr);
  canned.action(Action::Sym, {sym}).action(Action::Mod, {mod}).action(Action::Uaddr, {uaddr});
  EXPECT_EQ(items(canned),
            "{\"sym\":\"vmlinux`ksys_read\",\"object\":\"vmlinux\",\"name\":\"ksys_read\",\"offset\":0},"
            "{\"mod\":\"ext4\"},"
            "{\"uaddr\":\"prog`main+0x10\",\"object\":\"prog\",\"name\":\"main\",\"offset\":16}");
}

TEST_F(JsonTest, SymbolNamesMayContainPlus) {
  EXPECT_EQ(symbol_json("prog`operator+0xy").dump(),
            "{\"symbol\":\"prog`operator+0xy\",\"module\":\"prog\",\"name\":\"operator+0xy\",\"offset\":0}");
}

TEST_F(JsonTest, SkippedActionsHaveNoItems) {
  CannedClause canned = clause();
  uint32_t mark = canned.layout.mark(false);
  canned.action(Action::Trace, {canned.layout.integer(1)});
  canned.plan.actions[0].ran_offset = mark;
  EXPECT_EQ(items(canned), "");
}

TEST_F(JsonTest, AggregationsComeAtTheEnd) {
  Layout key;
  Field text = key.string("read", 16), number = key.integer(uint64_t{7});
  uint32_t count = add_aggregation(AggregationFunction::Count, {text, number});
  source.put(count, key.bytes(), 0, {2});
  source.put(count, key.bytes(), 1, {3});
  add_aggregation(AggregationFunction::Sum, {text, number});  // has no elements
  EXPECT_EQ(
      masked(finish()),
      std::string("{\"type\":\"aggregation\",\"timestamp\":T,\"aggregation-name\":\"a0\",\"aggregation-function\":"
                  "\"count\",\"aggregation-keys\":[{\"type\":\"string\"},{\"type\":\"uint64\"}],"
                  "\"aggregation-data\":[{\"keys\":[\"read\",7],\"count\":5}]}\n") +
          exit_line);
}

TEST_F(JsonTest, SecondInterruptOmitsAggregations) {
  uint32_t count = add_aggregation(AggregationFunction::Count);
  source.put(count, {}, 0, {2, 1});
  consumer().interrupted();
  EXPECT_EQ(masked(finish(/*print_aggregations=*/false)), exit_line);
}

TEST_F(JsonTest, PrintaSeparatesAggregations) {
  Layout key, other;
  Field name = key.string("x", 8);
  other.string("y", 8);
  uint32_t sum = add_aggregation(AggregationFunction::Sum, {name});
  uint32_t average = add_aggregation(AggregationFunction::Avg, {name}, 2);
  source.put(sum, key.bytes(), 0, {-4});
  source.put(sum, other.bytes(), 0, {-9});
  source.put(average, key.bytes(), 1, {2, 10});
  CannedClause canned = clause();
  canned.action(Action::Printa).on({sum, average});
  EXPECT_EQ(items(canned),
            "{\"aggregation-name\":\"a0\",\"aggregation-function\":\"sum\","
            "\"aggregation-keys\":[{\"type\":\"string\"}],\"aggregation-data\":"
            "[{\"keys\":[\"y\"],\"sum\":-9},{\"keys\":[\"x\"],\"sum\":-4}]},"
            "{\"aggregation-name\":\"a1\",\"aggregation-function\":\"avg\","
            "\"aggregation-keys\":[{\"type\":\"string\"}],\"aggregation-data\":"
            "[{\"keys\":[\"x\"],\"avg\":5,\"exact\":{\"count\":2,\"sum\":10}}]}");
  EXPECT_EQ(masked(finish()), exit_line);
}

TEST_F(JsonTest, DistributionsAreBuckets) {
  uint32_t id = add_aggregation(AggregationFunction::Lquantize, {}, 4);
  plan.aggregations[id].parameters[0] = -10;  // base
  plan.aggregations[id].parameters[1] = 2;    // levels
  plan.aggregations[id].parameters[2] = 10;   // step
  source.put(id, {}, 0, {1, 0, 0, 5, 1});
  set(OptionId::Aggpercpu);
  std::string text = masked(finish());
  EXPECT_NE(text.find("\"buckets\":[{\"value\":-10,\"relation\":\"<\",\"count\":1},{\"value\":-10,\"count\":0},"
                      "{\"value\":0,\"count\":0},{\"value\":10,\"relation\":\">=\",\"count\":5}]"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\"per-cpu\":[[{"), std::string::npos) << text;
}

TEST_F(JsonTest, MessagesDoNotRepeatDistributions) {
  Layout key;
  uint32_t sizes = add_aggregation(AggregationFunction::Lquantize, {key.string("dd", 8)}, 4);
  plan.aggregations[sizes].parameters[1] = 2;   // levels
  plan.aggregations[sizes].parameters[2] = 10;  // step
  source.put(sizes, key.bytes(), 0, {0, 3, 0, 0});
  auto printed = [&](const char* format) {
    CannedClause canned = clause();
    canned.action(Action::Printa).on({sizes});
    canned.plan.actions[0].format = add_format(format);
    return items(canned);
  };
  EXPECT_TRUE(printed("\n%s%@d").starts_with(R"({"aggregation-name":"a0",)"));
  EXPECT_TRUE(printed("%s %@p50d\n").starts_with(R"({"message":"dd 4\n"},{"aggregation-name":"a0",)"));
}

TEST_F(JsonTest, FaultsAreSeparateRows) {
  plan.fault_sites.push_back({.unit = "script.d", .line = 3, .column = 8, .text = "trace(*(int *)64);"});
  ds_fault_record record{.header = {.clause = DS_RECORD_FAULT, .probe_row = 0, .cpu = 1, .speculation = 0},
                         .clause = 2,
                         .code = DS_FAULT_BADADDR,
                         .value = 64,
                         .site = 0,
                         .reserved = 0};
  consumer().record(std::as_bytes(std::span{&record, 1}));
  EXPECT_EQ(
      masked(output()),
      "{\"type\":\"fault\",\"timestamp\":T,\"cpu\":1,\"id\":1,\"provider\":\"dtrace\",\"module\":\"\",\"function\":"
      "\"\",\"name\":\"BEGIN\",\"clause\":2,\"code\":1,\"fault\":\"invalid address\",\"value\":64,\"source\":"
      "{\"file\":\"script.d\",\"line\":3,\"column\":8},\"msg\":\"error in dt_clause_2 for probe ID 1 "
      "(dtrace:::BEGIN): invalid address (0x40) at BPF pc 1\"}\n");
  EXPECT_EQ(messages.take(), "");
}

TEST_F(JsonTest, DropsArePseudoProbes) {
  DropCounters totals(2);
  totals[1].record_drops = 2;
  consumer().report_drops(totals);
  output();
  totals[1].record_drops = 3;
  consumer().report_drops(totals);
  EXPECT_EQ(masked(output()),
            "{\"type\":\"drop\",\"timestamp\":T,\"cpu\":-1,\"id\":-1,\"provider\":\"dtrace\",\"module\":\"INTERNAL\","
            "\"function\":\"INTERNAL\",\"name\":\"DROP\",\"kind\":\"DTRACEDROP_PRINCIPAL\",\"count\":1,\"total\":3,"
            "\"dropped-on\":1,\"msg\":\"1 drop on CPU 1\"}\n");
  EXPECT_EQ(messages.take(), "");
}

TEST_F(JsonTest, DocumentIsOneJsonValue) {
  choose("oformat");
  CannedClause canned = clause();
  Field status = canned.layout.integer(3);
  canned.action(Action::Exit, {status});
  uint32_t count = add_aggregation(AggregationFunction::Count);
  source.put(count, {}, 0, {2, 1});
  feed(canned);
  feed(canned);
  nlohmann::json document = nlohmann::json::parse(finish())["dtrace"];
  EXPECT_EQ(document["probes"].size(), 2U);
  EXPECT_EQ(document["probes"][0]["output"], nlohmann::json::array());
  EXPECT_EQ(document["aggregations"][0]["aggregation-data"][0]["count"], 2);
  EXPECT_EQ(document["exit-status"], 3);
}

}  // namespace
}  // namespace dscope::test
