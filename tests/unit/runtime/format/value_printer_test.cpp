// Text of others cannot control the terminal and cannot look like other rows.
#include "tests/unit/runtime/output/output_fixture.h"

namespace dscope::test {
namespace {

// Symbols of a program that its owner has named with care.
class HostileSymbols final : public FakeSymbolizer {
 public:
  std::string kernel_symbol(uint64_t, bool) override { return "evil`La;\033[2J\n9 root"; }
  std::string user_symbol(uint32_t, uint64_t, bool) override { return "evil`b\u009b\xff"; }
};

class ValuePrinterTest : public OutputTest {
 protected:
  // Ends a run with one element of one aggregation, whose key is `field`.
  void print_key(const Layout& layout, const Field& field, Symbolizer& symbolizer, CaptureStream& stream) {
    uint32_t id = add_aggregation(AggregationFunction::Count, {field});
    source.put(id, layout.bytes(), 0, {5});
    Consumer::create(plan, settings, source, symbolizer, stream, messages)->finish(true);
  }

  // Consumes one record of the clause.
  void print_record(CannedClause canned, Symbolizer& symbolizer, CaptureStream& stream) {
    add(canned);
    auto consumer = Consumer::create(plan, settings, source, symbolizer, stream, messages);
    std::vector<std::byte> record = canned.layout.bytes();
    ds_record_header header{.clause = canned.plan.number, .probe_row = 0, .cpu = 0, .speculation = 0};
    std::memcpy(record.data(), &header, sizeof header);
    consumer->record(record);
  }

  // The output of the end of a run with the key `text`.
  std::string keys(const std::string& text, CaptureStream& stream) {
    Layout layout;
    Field field = layout.string(text, 32);
    print_key(layout, field, symbols, stream);
    plan.aggregations.clear();
    source.elements.clear();
    return stream.take();
  }
  std::string keys(const std::string& text) { return keys(text, pipe_); }
  std::string keys_on_terminal(const std::string& text) { return keys(text, terminal_); }

  std::string folded(std::function<Field(Layout&)> stack) {
    EXPECT_TRUE(plan.options.set("format", "folded", true, OptionOrigin::CommandLine));
    Layout layout;
    Field field = stack(layout);
    print_key(layout, field, hostile_, pipe_);
    return pipe_.take();
  }

  // The output of one record with hostile symbols.
  std::string with_hostile_symbols(CannedClause canned) {
    print_record(std::move(canned), hostile_, pipe_);
    return pipe_.take();
  }

  HostileSymbols hostile_;
  CaptureStream pipe_, terminal_{true};
};

TEST_F(ValuePrinterTest, KeysCannotForgeRows) {
  const std::string text = "a\n  root  99";
  std::string row = "  a^J  root  99";
  row.resize(52, ' ');
  row += "                5\n";
  EXPECT_EQ(keys(text), "\n" + row);
  EXPECT_EQ(keys_on_terminal(text), "\n" + row);
  settings.prints_as_dtrace = true;
  EXPECT_NE(keys(text).find("  a\n  root  99 "), std::string::npos) << "programs expect the bytes of DTrace";
  EXPECT_EQ(keys_on_terminal(text), "\n" + row);
}

TEST_F(ValuePrinterTest, OtherControlsOfKeysAreVisibleOnlyOnTerminals) {
  EXPECT_NE(keys("a\033b\t").find("  a\033b\t "), std::string::npos);
  EXPECT_NE(keys_on_terminal("a\033b\t").find("  a^[b^I "), std::string::npos);
}

TEST_F(ValuePrinterTest, RawtextLeavesStringsAsTheyAre) {
  set(OptionId::Rawtext);
  const std::string text = "a\033\nb";
  EXPECT_NE(keys(text).find("  " + text + " "), std::string::npos);
  EXPECT_NE(keys_on_terminal(text).find("  " + text + " "), std::string::npos);
}

TEST_F(ValuePrinterTest, CsvQuotesLineEndsOfKeys) {
  EXPECT_TRUE(plan.options.set("format", "csv", true, OptionOrigin::CommandLine));
  EXPECT_NE(keys("a\nb").find("\"a\nb\",5\n"), std::string::npos);
}

TEST_F(ValuePrinterTest, NamesOfFunctionsAreAlwaysVisible) {
  set(OptionId::Quiet);
  set(OptionId::Rawtext);
  CannedClause kernel = clause();
  kernel.action(Action::Stack, {kernel.layout.stack({kernel_base, 0})});
  EXPECT_EQ(with_hostile_symbols(kernel), "\n              evil`La;^[[2J^J9 root\n");
  CannedClause user = clause();
  user.action(Action::Usym, {user.layout.user_address(42, 0x4000, Action::Usym)});
  EXPECT_EQ(with_hostile_symbols(user).find("  evil`bM-BM-^[M-^? "), 0U);
}

TEST_F(ValuePrinterTest, FramesCannotForgeFoldedFrames) {
  EXPECT_EQ(folded([](Layout& layout) { return layout.stack({kernel_base, kernel_base + 0x2000, 0}); }),
            "evil`La_^[[2J^J9 root;evil`La_^[[2J^J9 root 5\n");
}

TEST_F(ValuePrinterTest, JsonEscapesNamesItself) {
  EXPECT_TRUE(plan.options.set("format", "json", true, OptionOrigin::CommandLine));
  CannedClause kernel = clause();
  kernel.action(Action::Stack, {kernel.layout.stack({kernel_base, 0})});
  EXPECT_NE(with_hostile_symbols(kernel).find("evil`La;\\u001b[2J\\n9 root"), std::string::npos);
}

TEST_F(ValuePrinterTest, PathsAreNotChanged) {
  CannedClause canned = clause();
  Field path = canned.layout.string("/a\033b", 16);
  canned.action(Action::Freopen, {path});
  canned.plan.actions.back().format = add_format("%s");
  print_record(std::move(canned), symbols, terminal_);
  EXPECT_FALSE(terminal_.is_terminal()) << "redirected";
  terminal_.write("text");
  EXPECT_NE(terminal_.file("/a\033b").find("text"), std::string::npos);
}

}  // namespace
}  // namespace dscope::test
