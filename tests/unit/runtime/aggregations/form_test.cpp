// Output forms of aggregations for other programs and for narrow screens: CSV, folded stacks, bars, packed and zoomed
// distributions.
#include "tests/unit/runtime/output/output_fixture.h"

namespace dscope::test {
namespace {

class FormTest : public OutputTest {
 protected:
  FormTest() { set(OptionId::Quiet); }
  void format(const char* name) { ASSERT_TRUE(plan.options.set("format", name, true, OptionOrigin::CommandLine)); }

  static std::vector<std::byte> key(const std::string& text, int64_t number) {
    Layout layout;
    layout.string(text, 16);
    layout.integer(number);
    return layout.bytes();
  }
  // @name[string, int64_t]
  uint32_t by_text_and_number(AggregationFunction function, uint32_t data_words = 1) {
    Layout layout;
    Field text = layout.string("", 16);
    uint32_t id = add_aggregation(function, {text, layout.integer(int64_t{0})}, data_words);
    return id;
  }
  static std::vector<std::byte> long_key(const std::string& text, int64_t number) {
    Layout layout;
    layout.string(text, 32);
    layout.integer(number);
    return layout.bytes();
  }
  uint32_t by_long_text_and_number() {
    Layout layout;
    Field text = layout.string("", 32);
    return add_aggregation(AggregationFunction::Count, {text, layout.integer(int64_t{0})});
  }
  uint32_t quantize_of_7_and_100() {
    uint32_t id = add_aggregation(AggregationFunction::Quantize, {}, 127);
    std::vector<int64_t> words(128);
    words[63 + 3] = 1;
    words[63 + 7] = 3;
    words[127] = 1;
    source.put(id, {}, 0, words);
    return id;
  }
};

TEST_F(FormTest, CsvQuotesFieldsAndSeparatesAggregations) {
  uint32_t count = by_text_and_number(AggregationFunction::Count), sum = by_text_and_number(AggregationFunction::Sum);
  plan.aggregations[count].name = "calls";
  plan.aggregations[sum].name = "bytes";
  source.put(count, key("a,b", 1), 0, {5});
  source.put(count, key("say \"x\"", -2), 0, {7});
  source.put(sum, key("c", 3), 0, {-1});
  format("csv");
  EXPECT_EQ(finish(),
            "key1,key2,@calls\n"
            "\"a,b\",1,5\n"
            "\"say \"\"x\"\"\",-2,7\n"
            "\n"
            "key1,key2,@bytes\n"
            "c,3,-1\n");
}

TEST_F(FormTest, KeysAreEscapedOnlyOnTerminals) {
  Layout layout;
  Field text = layout.string("a\x1b[2J", 16);
  uint32_t count = add_aggregation(AggregationFunction::Count, {text, layout.stack({kernel_base + 0x1010, 0})});
  source.put(count, layout.bytes(), 0, {5});
  for (const char* name : {"csv", "folded"}) {
    format(name);
    CaptureStream terminal{true};
    Consumer::create(plan, settings, source, symbols, terminal, messages)->finish(true);
    EXPECT_NE(terminal.text().find("a^[[2J"), std::string::npos) << terminal.text();
    CaptureStream pipe;
    Consumer::create(plan, settings, source, symbols, pipe, messages)->finish(true);
    EXPECT_NE(pipe.text().find("a\x1b[2J"), std::string::npos) << pipe.text();
  }
}

TEST_F(FormTest, CsvOfPrintaHasOneColumnPerAggregation) {
  uint32_t count = by_text_and_number(AggregationFunction::Count), sum = by_text_and_number(AggregationFunction::Sum);
  plan.aggregations[count].name = "calls";
  plan.aggregations[sum].name = "bytes";
  source.put(count, key("a", 1), 0, {5});
  source.put(sum, key("a", 1), 0, {50});
  source.put(sum, key("b", 1), 0, {60});
  format("csv");
  CannedClause printa = clause();
  printa.action(Action::Printa).on({count, sum});
  EXPECT_EQ(print(printa),
            "key1,key2,@calls,@bytes\n"
            "b,1,0,60\n"
            "a,1,5,50\n");
}

TEST_F(FormTest, CsvOfDistributionsHasOneLinePerBucket) {
  plan.aggregations[quantize_of_7_and_100()].name = "size";
  format("csv");
  EXPECT_EQ(finish(), "bucket,@size\n2,0\n4,1\n8,0\n16,0\n32,0\n64,3\n128,0\n");
}

TEST_F(FormTest, FoldedStacksStartAtTheOutermostFrame) {
  Layout a, b;
  a.string("one;two", 16);
  Field text = {.kind = FieldKind::String, .offset = 0, .size = 16};
  Field stack = a.stack({kernel_base + 0x1010, kernel_base + 0x2010, 0});
  b.string("zero", 16);
  b.stack({kernel_base + 0x1010, 0, 0});
  uint32_t id = add_aggregation(AggregationFunction::Count, {text, stack});
  source.put(id, a.bytes(), 0, {4});
  source.put(id, b.bytes(), 0, {0});
  format("folded");
  EXPECT_EQ(finish(), "one_two;vmlinux`ksys_read;vmlinux`vfs_read 4\n");
}

TEST_F(FormTest, FoldedFramesOfTheProcessPrecedeThoseOfTheKernel) {
  Layout layout;
  Field stack = layout.stack({kernel_base + 0x1010, kernel_base + 0x2010, 0});
  Field program = layout.string("prog", 8);
  Field user = layout.user_stack(42, {0x5000, 0x4010, 0});
  Field mode = layout.string("rw", 8);
  uint32_t id = add_aggregation(AggregationFunction::Count, {stack, program, user, mode});
  source.put(id, layout.bytes(), 0, {4});
  format("folded");
  EXPECT_EQ(finish(), "prog;prog`main;prog`helper;vmlinux`ksys_read;vmlinux`vfs_read;rw 4\n");
}

TEST_F(FormTest, FoldedEmptyStacksHaveNames) {
  format("folded");
  auto folded = [&](Layout layout, std::vector<Field> keys) {
    uint32_t id = add_aggregation(AggregationFunction::Count, std::move(keys));
    source.put(id, layout.bytes(), 0, {4});
    restart();
    std::string text = finish();
    plan.aggregations.clear();
    source.elements.clear();
    return text;
  };
  Layout kernel, idle, thread, both, process;
  Field empty_kernel = kernel.stack({0, 0});
  EXPECT_EQ(folded(kernel, {empty_kernel}), "[user] 4\n");
  Field empty_idle = idle.user_stack(0, {0, 0});
  EXPECT_EQ(folded(idle, {empty_idle}), "[idle] 4\n");
  Field empty_thread = thread.user_stack(7, {0, 0});
  EXPECT_EQ(folded(thread, {empty_thread}), "[kernel] 4\n");
  Field both_kernel = both.stack({0, 0}), both_user = both.user_stack(0, {0, 0});
  EXPECT_EQ(folded(both, {both_kernel, both_user}), "[idle] 4\n");
  Field no_kernel = process.stack({0, 0}), user = process.user_stack(42, {0x5000, 0});
  EXPECT_EQ(folded(process, {no_kernel, user}), "prog`helper 4\n");
}

TEST_F(FormTest, FoldedAggregationsWithoutStacksAreMessages) {
  Layout layout;
  Field function = layout.kernel_address(kernel_base + 0x1010, Action::Sym);
  uint32_t functions = add_aggregation(AggregationFunction::Count, {function});
  source.put(functions, layout.bytes(), 0, {4});
  uint32_t calls = by_text_and_number(AggregationFunction::Count);
  source.put(calls, key("a", 1), 0, {5});
  uint32_t all = add_aggregation(AggregationFunction::Count);
  source.put(all, {}, 0, {9, 1});
  format("folded");
  CannedClause printa = clause();
  printa.action(Action::Printa).on({all});
  printa.plan.actions.back().format = add_format("%@d calls\n");
  EXPECT_EQ(print(printa), "");
  EXPECT_EQ(messages.take(), "9 calls\n");
  EXPECT_EQ(finish(), "vmlinux`vfs_read 4\n");
  std::string text = messages.take();
  EXPECT_TRUE(text.starts_with("  a ") && text.ends_with(" 5\n")) << text;
}

TEST_F(FormTest, KeyColumnsFitTheirDataOnTerminals) {
  settings.fits_columns = true;
  uint32_t count = by_text_and_number(AggregationFunction::Count);
  source.put(count, key("a", 1), 0, {5});
  source.put(count, key("longer", -20), 0, {17});
  EXPECT_EQ(finish(),
            "\n"
            "  a        1   5\n"
            "  longer -20  17\n");
}

TEST_F(FormTest, LongTextKeysFitTheTerminal) {
  settings.fits_columns = true;
  settings.line_width = 30;
  uint32_t count = by_long_text_and_number();
  source.put(count, long_key("short", 1), 0, {5});
  source.put(count, long_key("/usr/lib/a/long/path", -20), 0, {17});
  source.put(count, long_key("/usr/lib/another/long/pathx", 3), 0, {18});
  EXPECT_EQ(finish(),
            "\n"
            "  short                  1   5\n"
            "  /usr/lib/a/long/path -20  17\n"
            "  /usr/lib/..ong/pathx   3  18\n");
}

TEST_F(FormTest, LongTextKeysAreWholeOffTerminals) {
  settings.line_width = 30;
  uint32_t count = by_long_text_and_number();
  source.put(count, long_key("/usr/lib/another/long/pathx", 3), 0, {18});
  EXPECT_NE(finish().find("  /usr/lib/another/long/pathx  "), std::string::npos);
}

// Characters stay whole, and columns of 16 bytes are not narrowed further.
TEST_F(FormTest, ShortenedKeysAreCutBetweenCharacters) {
  settings.fits_columns = true;
  settings.line_width = 10;
  uint32_t count = by_long_text_and_number();
  source.put(count, long_key("12345\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e912345", 1), 0, {5});
  EXPECT_EQ(finish(), "\n  12345\u00e9..\u00e912345 1  5\n");
}

// ---------------------------------------------------------------- rows

class ValueRowTest : public FormTest {
 protected:
  // A printf() of a process id and a program name, whose columns have these names.
  CannedClause row(int32_t pid, const std::string& name, std::vector<std::string> columns) {
    CannedClause canned = clause();
    canned.action(Action::Printf, {canned.layout.integer(pid), canned.layout.string(name, 16)});
    canned.plan.actions.back().format = add_format("pid %-6d runs %16s\n");
    canned.plan.actions.back().columns = std::move(columns);
    return canned;
  }
  // A printf() of string constants in this probe.
  CannedClause constants(const std::string& probe, const std::vector<std::string>& texts) {
    CannedClause canned = clause();
    canned.plan.description = probe;
    std::vector<Field> fields;
    std::string conversions;
    for (const std::string& text : texts) {
      fields.push_back(canned.layout.string(text, 16));
      conversions += "%s ";
    }
    canned.action(Action::Printf, std::move(fields));
    canned.plan.actions.back().format = add_format(conversions);
    canned.plan.actions.back().columns.resize(texts.size());
    return canned;
  }
};

TEST_F(ValueRowTest, CsvHasAColumnForEachValueAndOneHeader) {
  format("csv");
  CannedClause first = row(7, "a,\"b\"", {"pid", "execname"});
  CannedClause second = row(8, "sh", {"pid", "execname"});
  add(first);
  add(second);
  feed(first);
  feed(second);
  EXPECT_EQ(output(), "pid,execname\n7,\"a,\"\"b\"\"\"\n8,sh\n");
}

TEST_F(ValueRowTest, CsvTitlesNameTheColumns) {
  format("csv");
  CannedClause title = constants("dtrace:::BEGIN", {"PID", "PROGRAM"});
  CannedClause values = row(7, "sh", {"pid", "execname"});
  values.action(Action::Trace, {values.layout.integer(int64_t{5})});
  values.plan.actions.back().columns = {"arg0"};
  add(title);
  add(values);
  feed(title);
  feed(values);
  EXPECT_EQ(output(), "PID,PROGRAM,arg0\n7,sh,5\n") << "the title names the columns of the printf()";
}

TEST_F(ValueRowTest, CsvQuotesConstants) {
  format("csv");
  CannedClause canned = clause();
  canned.action(Action::Trace, {canned.layout.string("x,y", 8)});
  canned.plan.actions.back().columns = {""};
  canned.action(Action::Printf, {canned.layout.string("\"hi\", ok", 16), canned.layout.integer(5)});
  canned.plan.actions.back().format = add_format("%s %d\n");
  canned.plan.actions.back().columns = {"", "value"};
  canned.action(Action::Exit, {canned.layout.integer(int32_t{0})});
  EXPECT_EQ(print(canned), "value,value2,value3\n\"x,y\",\"\"\"hi\"\", ok\",5\n");
  EXPECT_EQ(messages.take(), "");
}

// No table has two columns, so these are no names.
TEST_F(ValueRowTest, CsvConstantsWithoutATableAreARow) {
  format("csv");
  CannedClause canned = constants("dtrace:::BEGIN", {"a", "b"});
  EXPECT_EQ(print(canned), "value,value2\na,b\n");
}

// The clause that would print the rows matches no probe.
TEST_F(ValueRowTest, CsvOfProgramsWithoutProbesHasAHeader) {
  ASSERT_TRUE(plan.options.set("zdefs", "", false, OptionOrigin::CommandLine));
  format("csv");
  CannedClause title = constants("dtrace:::BEGIN", {"PID", "PROGRAM"});
  add(title);
  feed(title);
  EXPECT_EQ(output(), "");
  EXPECT_EQ(finish(), "PID,PROGRAM\n");
}

TEST_F(ValueRowTest, CsvWithoutRowsHasAHeader) {
  format("csv");
  CannedClause title = constants("dtrace:::BEGIN", {"PID", "PROGRAM"});
  CannedClause values = row(7, "sh", {"pid", "execname"});
  for (CannedClause* canned : {&title, &values}) add(*canned);
  feed(title);
  EXPECT_EQ(finish(), "PID,PROGRAM\n");
}

// Another header would be in the file that freopen() has opened, or a second time in the first one.
TEST_F(ValueRowTest, CsvHasNoHeaderAfterFreopen) {
  format("csv");
  CannedClause values = row(7, "sh", {"pid", "execname"});
  CannedClause reopen = clause();
  reopen.action(Action::Freopen);
  reopen.plan.actions.back().format = add_format("");
  for (CannedClause* canned : {&values, &reopen}) add(*canned);
  for (CannedClause* canned : {&values, &reopen}) feed(*canned);
  EXPECT_EQ(finish(), "pid,execname\n7,sh\n");
}

TEST_F(ValueRowTest, CsvJoinsTitlesOfOneLine) {
  format("csv");
  CannedClause title = constants("dtrace:::BEGIN", {"TIME"});
  title.action(Action::Printf, {title.layout.string("PID", 16), title.layout.string("PROGRAM", 16)});
  title.plan.actions.back().format = add_format("%s %s\n");
  title.plan.actions.back().columns.resize(2);
  CannedClause values = clause();
  values.action(Action::Printf, {values.layout.integer(int64_t{5})});
  values.plan.actions.back().format = add_format("%d ");
  values.plan.actions.back().columns = {"walltimestamp"};
  values.action(Action::Printf, {values.layout.integer(int32_t{7}), values.layout.string("sh", 16)});
  values.plan.actions.back().format = add_format("%d %s\n");
  values.plan.actions.back().columns = {"pid", "execname"};
  for (CannedClause* canned : {&title, &values}) add(*canned);
  for (CannedClause* canned : {&title, &values}) feed(*canned);
  EXPECT_EQ(output(), "TIME,PID,PROGRAM\n5,7,sh\n");
}

TEST_F(ValueRowTest, CsvOfSeveralClausesIsOneTable) {
  uint32_t probe = add_probe("syscall", "vmlinux", "read", "entry");
  format("csv");
  CannedClause first = row(7, "sh", {"pid", "execname"});
  CannedClause second = clause(probe);
  second.action(Action::Trace, {second.layout.integer(int64_t{5})});
  second.plan.actions.back().columns = {"arg0"};
  second.action(Action::Trace, {second.layout.integer(int32_t{8})});
  second.plan.actions.back().columns = {"pid"};
  for (CannedClause* canned : {&first, &second}) add(*canned);
  for (CannedClause* canned : {&second, &first, &second}) feed(*canned);
  EXPECT_EQ(output(),
            "probe,pid,execname,arg0\n"
            "syscall:vmlinux:read:entry,8,,5\n"
            "dtrace:::BEGIN,7,sh,\n"
            "syscall:vmlinux:read:entry,8,,5\n");
}

TEST_F(ValueRowTest, CsvStartsANewTableForAggregations) {
  uint32_t count = by_text_and_number(AggregationFunction::Count);
  plan.aggregations[count].name = "calls";
  plan.aggregations[count].columns = {"copyinstr", ""};
  source.put(count, key("a", 1), 0, {5});
  format("csv");
  CannedClause values = row(7, "sh", {"pid", "execname"});
  CannedClause printa = clause();
  printa.action(Action::Printa).on({count});
  printa.plan.actions.back().format = add_format("%s has %d");
  for (CannedClause* canned : {&values, &printa}) add(*canned);
  for (CannedClause* canned : {&values, &printa, &values}) feed(*canned);
  EXPECT_EQ(output(), "pid,execname\n7,sh\n\ncopyinstr,key2,@calls\na,1,5\n\npid,execname\n7,sh\n");
}

TEST_F(ValueRowTest, CsvTextWithoutValuesIsAMessage) {
  format("csv");
  CannedClause text = clause();
  text.action(Action::Printf);
  text.plan.actions.back().format = add_format("Counting... Ctrl-C ends it.\n");
  EXPECT_EQ(print(text), "");
  EXPECT_EQ(messages.take(), "Counting... Ctrl-C ends it.\n");
  CannedClause values = row(7, "sh", {"pid", "execname"});
  values.action(Action::Printf);
  values.plan.actions.back().format = add_format(" and so on\n");
  EXPECT_EQ(print(values), "pid,execname\n7,sh\n");
  EXPECT_EQ(messages.take(), "") << "text of a row with values";
}

TEST_F(ValueRowTest, FoldedRowsAreStacks) {
  format("folded");
  CannedClause values = row(7, "a;b", {}), stack = row(7, "a;b", {});
  stack.action(Action::Stack, {stack.layout.stack({kernel_base + 0x1010, kernel_base + 0x2010, 0})});
  add(values);
  add(stack);
  feed(values);
  EXPECT_EQ(output(), "");
  EXPECT_EQ(messages.take(), "pid 7      runs              a;b\n");
  feed(stack);
  EXPECT_EQ(output(), "7;a_b;vmlinux`ksys_read;vmlinux`vfs_read 1\n");
  EXPECT_EQ(messages.take(), "");
}

TEST_F(FormTest, MachineReadableFormsPrintNothingElse) {
  format("csv");
  consumer().interrupted();
  EXPECT_EQ(finish(), "");
}

TEST_F(FormTest, BarsShowShareOfTheTotal) {
  uint32_t count = by_text_and_number(AggregationFunction::Count);
  source.put(count, key("a", 1), 0, {1});
  source.put(count, key("b", 2), 0, {3});
  set(OptionId::Agghist);
  EXPECT_EQ(finish(),
            "\n"
            "\n"
            "                               key  ------------- Distribution ------------- count    \n"
            "                a                1 |@@@@@@@@@@                               1        \n"
            "                b                2 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@           3        \n");
}

TEST_F(FormTest, PackedDistributionsTakeOneLine) {
  quantize_of_7_and_100();
  set(OptionId::Aggpack);
  EXPECT_EQ(finish(), "\n 2 : x   X : 128 | 4\n");
}

TEST_F(FormTest, PackedDistributionsUseBlockCharacters) {
  quantize_of_7_and_100();
  set(OptionId::Aggpack);
  ASSERT_TRUE(plan.options.set("encoding", "utf8", true, OptionOrigin::CommandLine));
  EXPECT_EQ(finish(), "\n 2 : ▃   ▇ : 128 | 4\n");
}

TEST_F(FormTest, ZoomedDistributionsFillTheWidth) {
  quantize_of_7_and_100();
  set(OptionId::Aggzoom);
  std::string text = finish();
  EXPECT_NE(text.find("64 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   3"), std::string::npos) << text;
  EXPECT_NE(text.find("4 |@@@@@@@@@@@@@                            1"), std::string::npos) << text;
}

}  // namespace
}  // namespace dscope::test
