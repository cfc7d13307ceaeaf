// The numbered samples of consumer-and-actions.md 13.
#include "output_fixture.h"

namespace dscope::test {
namespace {

class SampleTest : public OutputTest {};

TEST_F(SampleTest, One_TraceAndExit) {
  CannedClause canned = clause();
  canned.action(Action::Trace, {canned.layout.integer(1)});
  canned.action(Action::Trace, {canned.layout.string("ab", 257)});
  canned.action(Action::Exit, {canned.layout.integer(3)});
  feed(canned);
  consumer().finish(true);
  EXPECT_EQ(output(),
            "CPU     ID                    FUNCTION:NAME\n"
            "  0      1                           :BEGIN           1  ab                               \n"
            "\n");
  EXPECT_EQ(consumer().exit_status(), 3);
}

TEST_F(SampleTest, Two_KeyedCount) {
  set(OptionId::Quiet);
  Layout x, y;
  std::vector<Field> keys{x.string("x", 256), x.integer(1)};
  y.string("y", 256);
  y.integer(2);
  uint32_t id = add_aggregation(AggregationFunction::Count, keys);
  source.put(id, y.bytes(), 0, {2});
  source.put(id, x.bytes(), 0, {1});
  EXPECT_EQ(finish(),
            "\n"
            "  x                                                         1                1\n"
            "  y                                                         2                2\n");
}

TEST_F(SampleTest, Three_Quantize) {
  set(OptionId::Quiet);
  uint32_t id = add_aggregation(AggregationFunction::Quantize, {}, 127);
  std::vector<int64_t> words(128);
  words[66] = 2;
  words[72] = 1;
  words[127] = 1;  // state
  source.put(id, {}, 0, words);
  EXPECT_EQ(finish(),
            "\n"
            "\n"
            "           value  ------------- Distribution ------------- count    \n"
            "               2 |                                         0        \n"
            "               4 |@@@@@@@@@@@@@@@@@@@@@@@@@@@              2        \n"
            "               8 |                                         0        \n"
            "              16 |                                         0        \n"
            "              32 |                                         0        \n"
            "              64 |                                         0        \n"
            "             128 |                                         0        \n"
            "             256 |@@@@@@@@@@@@@                            1        \n"
            "             512 |                                         0        \n"
            "\n");
}

TEST_F(SampleTest, Four_LquantizeAndBothSigns) {
  set(OptionId::Quiet);
  uint32_t id = add_aggregation(AggregationFunction::Lquantize, {}, 6);
  plan.aggregations[id].parameters[0] = -10;
  plan.aggregations[id].parameters[1] = 4;
  plan.aggregations[id].parameters[2] = 5;
  source.put(id, {}, 0, {1, 0, 0, 0, 0, 1, 1});
  uint32_t both = add_aggregation(AggregationFunction::Quantize, {}, 127);
  std::vector<int64_t> words(128);
  words[62] = words[63] = -123;
  words[64] = 246;
  words[127] = 1;
  source.put(both, {}, 0, words);
  EXPECT_EQ(finish(),
            "\n"
            "\n"
            "           value  ------------- Distribution ------------- count    \n"
            "           < -10 |@@@@@@@@@@@@@@@@@@@@                     1        \n"
            "             -10 |                                         0        \n"
            "              -5 |                                         0        \n"
            "               0 |                                         0        \n"
            "               5 |                                         0        \n"
            "           >= 10 |@@@@@@@@@@@@@@@@@@@@                     1        \n"
            "\n"
            "\n"
            "           value  ------------- Distribution ------------- count    \n"
            "              -2                     |                     0        \n"
            "              -1                @@@@@|                     -123     \n"
            "               0                @@@@@|                     -123     \n"
            "               1                     |@@@@@@@@@@           246      \n"
            "               2                     |                     0        \n"
            "\n");
}

TEST_F(SampleTest, Five_Fault) {
  set(OptionId::Quiet);
  settings.program_name = "dtrace";
  ds_fault_record fault{.header = {.clause = DS_RECORD_FAULT, .probe_row = 0, .cpu = 0, .speculation = 0},
                        .clause = 0,
                        .code = DS_FAULT_BADADDR,
                        .value = 64,
                        .site = 56,
                        .reserved = 0};
  consumer().record(std::as_bytes(std::span{&fault, 1}));
  EXPECT_EQ(finish(), "\n");
  EXPECT_EQ(messages.text(),
            "dtrace: error in dt_clause_0 for probe ID 1 (dtrace:::BEGIN): invalid address (0x40) at BPF pc 57\n");
}

TEST_F(SampleTest, Six_Stack) {
  set(OptionId::Quiet);
  CannedClause canned = clause();
  canned.action(Action::Stack, {canned.layout.stack({kernel_base + 0x1010, kernel_base + 0x2000}, 2)});
  canned.action(Action::Exit, {canned.layout.integer(0)});
  feed(canned);
  EXPECT_EQ(finish(),
            "\n"
            "              vmlinux`vfs_read+0x10\n"
            "              vmlinux`ksys_read\n"
            "\n");
}

TEST_F(SampleTest, Seven_PrintaOfTwo) {
  set(OptionId::Quiet);
  Layout one, two;
  Field key = one.integer(1);
  two.integer(2);
  uint32_t a = add_aggregation(AggregationFunction::Sum, {key}), b = add_aggregation(AggregationFunction::Sum, {key});
  source.put(a, one.bytes(), 0, {5});
  source.put(b, two.bytes(), 0, {7});
  CannedClause canned = clause();
  canned.action(Action::Printa).on({a, b});
  canned.plan.actions[0].format = add_format("%d %@d %@d\n");
  EXPECT_EQ(print(canned), "2 0 7\n1 5 0\n");
}

TEST_F(SampleTest, Eight_Interrupt) {
  uint32_t id = add_aggregation(AggregationFunction::Count);
  source.put(id, {}, 0, {1, 1});
  CannedClause begin = clause(0), end = clause(1);
  begin.cpu = end.cpu = 1;
  begin.action(Action::Printf).plan.actions[0].format = add_format("b");
  end.action(Action::Printf).plan.actions[0].format = add_format("end");
  add(begin);
  add(end);
  feed(begin);
  consumer().interrupted();
  feed(end);
  EXPECT_EQ(finish(),
            "CPU     ID                    FUNCTION:NAME\n"
            "  1      1                           :BEGIN b\n"
            "\n"
            "  1      2                             :END end\n"
            "\n"
            "                1\n");
  EXPECT_EQ(consumer().exit_status(), std::nullopt);
}

}  // namespace
}  // namespace dscope::test
