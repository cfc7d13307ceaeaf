// Snapshots, order, printing, clear() and trunc() of aggregations (consumer-and-actions.md 3.11, 3.12, 5).
#include <cstdlib>
#include <ctime>

#include "aggregation_fixture.h"

namespace dscope::test {
namespace {

TEST_F(AggregationTest, CpusAreMerged) {
  uint32_t sum = by_int(), low = by_int(AggregationFunction::Min), high = by_int(AggregationFunction::Max);
  source.put(sum, key(1), 0, {5});
  source.put(sum, key(1), 1, {-2});
  for (uint32_t id : {low, high}) {
    source.put_extreme(id, key(1), 0, 7);
    source.put_extreme(id, key(1), 1, -7);
    source.put_extreme(id, key(2), 1, 9);  // CPU 0 has not seen key 2
  }
  EXPECT_EQ(finish(),
            "\n"
            "        1                3\n"
            "        1               -7\n"
            "        2                9\n"
            "        1                7\n"
            "        2                9\n");
}

TEST_F(AggregationTest, UnkeyedExistsFromItsFirstUpdate) {
  uint32_t count = add_aggregation(AggregationFunction::Count), low = add_aggregation(AggregationFunction::Min);
  add_aggregation(AggregationFunction::Sum);
  source.put(count, {}, 0, {3, 1});
  source.put(count, {}, 1, {4, 1});
  source.put(low, {}, 0, {0, 0, 0, 0});  // never updated
  EXPECT_EQ(finish(), "\n                7\n");
}

TEST_F(AggregationTest, SumOfZeroIsPrinted) {
  uint32_t sum = add_aggregation(AggregationFunction::Sum);
  source.put(sum, {}, 1, {0, 1});
  EXPECT_EQ(finish(), "\n                0\n");
}

TEST_F(AggregationTest, EveryScalarPrints) {
  uint32_t avg = add_aggregation(AggregationFunction::Avg, {}, 2),
           dev = add_aggregation(AggregationFunction::Stddev, {}, 4);
  source.put(avg, {}, 0, {2, -30, 1});
  source.put(avg, {}, 1, {1, -3, 1});
  source.put(dev, {}, 0, {4, 14, 52, 0, 1});
  source.put(dev, {}, 1, {4, 26, 180, 0, 1});
  EXPECT_EQ(finish(), "\n              -11\n                2\n");
}

TEST_F(AggregationTest, StddevCarriesIntoTheHighWord) {
  uint32_t dev = add_aggregation(AggregationFunction::Stddev, {}, 4);
  // Two halves of 2^80 each: the low words overflow into the high one.
  source.put(dev, {}, 0, {1, int64_t{1} << 40, INT64_MIN, (int64_t{1} << 16) - 1, 1});
  source.put(dev, {}, 1, {1, -(int64_t{1} << 40), INT64_MIN, int64_t{1} << 16, 1});
  EXPECT_EQ(finish(), "\n    1099511627776\n");
}

TEST_F(AggregationTest, PrintsEveryKeyType) {
  Layout layout;
  std::vector<Field> keys{layout.integer(int64_t{-1}), layout.integer(int32_t{-1}), layout.integer(int16_t{-1}),
                          layout.integer(int8_t{-1}), layout.string("name", 16)};
  uint32_t id = add_aggregation(AggregationFunction::Count, keys);
  source.put(id, layout.bytes(), 0, {1});
  EXPECT_EQ(
      finish(),
      "\n"
      "               -1       -1 65535 255  name                                                              1\n");
}

TEST_F(AggregationTest, PrintsOpaqueKeys) {
  uint32_t id = 0;
  auto put = [&](const std::string& bytes) {
    Layout layout;
    Field field = layout.raw(bytes);
    id = add_aggregation(AggregationFunction::Count, {field});
    source.put(id, layout.bytes(), 0, {1});
  };
  put(std::string("text\0\0\0\0\0\0", 10));
  put(std::string("\x01\x02\0\0\0\0\0\0\0\0", 10));
  EXPECT_EQ(finish(),
            "\n"
            "  text                                                              1\n"
            "\n"
            "             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n"
            "         0: 01 02 00 00 00 00 00 00 00 00                    ..........\n"
            "                1\n");
}

TEST_F(AggregationTest, EmptyStringKeyIsTextUnlessRawbytes) {
  Layout layout;
  uint32_t id = add_aggregation(AggregationFunction::Count, {layout.string("", 8)});
  source.put(id, layout.bytes(), 0, {1});
  EXPECT_EQ(finish(), "\n" + std::string(52, ' ') + "                1\n");
  restart();
  set(OptionId::Rawbytes);
  set(OptionId::Strsize, 9);
  EXPECT_EQ(finish(),
            "\n"
            "\n"
            "             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n"
            "         0: 00 00 00 00 00 00 00 00 00 00                    ..........\n"
            "                1\n");
}

TEST_F(AggregationTest, PrintsStackKeys) {
  Layout a, b;
  uint64_t tracer = kernel_base + 0x9000;
  Field field = a.stack({tracer, kernel_base + 0x1000, kernel_base + 0x2000, 0}, 1);
  b.stack({kernel_base + 0x1000, 0, 0, 0}, 1);
  uint32_t id = add_aggregation(AggregationFunction::Count, {field});
  source.put(id, a.bytes(), 0, {1});
  source.put(id, b.bytes(), 0, {2});  // prints equal: merged
  EXPECT_EQ(finish(),
            "\n"
            "\n"
            "              vmlinux`vfs_read\n"
            "                3\n");
}

TEST_F(AggregationTest, SymbolKeysAreCanonicalized) {
  auto put = [&](Action action, std::vector<uint64_t> addresses) {
    uint32_t id = 0;
    for (uint64_t address : addresses) {
      Layout layout;
      Field field = layout.kernel_address(address, action);
      if (address == addresses[0]) id = add_aggregation(AggregationFunction::Count, {field});
      source.put(id, layout.bytes(), 0, {1});
    }
  };
  put(Action::Sym, {kernel_base + 0x1004, kernel_base + 0x1008, kernel_base + 0x2000});
  put(Action::Mod, {kernel_base + 0x1004, kernel_base + 0x2008});
  EXPECT_EQ(finish(),
            "\n"
            "  vmlinux`ksys_read                                                 1\n"
            "  vmlinux`vfs_read                                                  2\n"
            "  vmlinux                                                           2\n");
}

TEST_F(AggregationTest, PrintsUserSymbolKeys) {
  auto put = [&](Action action, std::vector<uint64_t> addresses) {
    uint32_t id = 0;
    for (uint64_t address : addresses) {
      Layout layout;
      Field field = layout.user_address(42, address, action);
      if (address == addresses[0]) id = add_aggregation(AggregationFunction::Count, {field});
      source.put(id, layout.bytes(), 0, {1});
    }
  };
  put(Action::Usym, {0x4004, 0x4008});
  put(Action::Uaddr, {0x4004, 0x4008});
  put(Action::Umod, {0x4004, 0x5008});
  EXPECT_EQ(finish(),
            "\n"
            "  prog`main                                                         2\n"
            "  prog`main+0x4                                                     1\n"
            "  prog`main+0x8                                                     1\n"
            "  prog                                                              2\n");
}

// Symbols and stacks of two processes that execute the same program.
class AggmergeTest : public AggregationTest {
 protected:
  // The counts that printa() prints, before and after trunc(@, 1).
  std::string counts() {
    uint32_t id = 0;
    for (uint64_t tgid : {42, 142}) {
      Layout layout;
      Field symbol = layout.user_address(tgid, 0x4004, Action::Usym);
      Field stack = layout.user_stack(tgid, {0x4004, 0x5008});
      if (tgid == 42) id = add_aggregation(AggregationFunction::Count, {symbol, stack});
      source.put(id, layout.bytes(), 0, {1});
    }
    CannedClause print_it = printa("%@d ", {id}), keep = trunc(id, 1);
    for (CannedClause* canned : {&print_it, &keep}) add(*canned);
    feed(print_it);
    feed(keep);
    feed(print_it);
    return output();
  }
};

TEST_F(AggmergeTest, ProcessesHaveRowsOfTheirOwn) { EXPECT_EQ(counts(), "1 1 1 "); }

TEST_F(AggmergeTest, RowsThatPrintEqualAreMergedBeforeTrunc) {
  set(OptionId::Aggmerge);
  EXPECT_EQ(counts(), "2 2 ");
}

TEST_F(AggregationTest, ProbeNamesMergeAndSortAsText) {
  uint32_t write = add_probe("syscall", "vmlinux", "write", "entry"),
           read = add_probe("syscall", "vmlinux", "read", "entry");
  uint32_t read_return = add_probe("syscall", "vmlinux", "read", "return");
  uint32_t id = 0;
  for (uint32_t row : {write, read, read_return}) {
    Layout layout;
    Field field = layout.probe_name(row, ProbePart::Function);
    if (row == write) id = add_aggregation(AggregationFunction::Count, {field});
    source.put(id, layout.bytes(), 0, {row == write ? 2 : 1});
  }
  EXPECT_EQ(finish(),
            "\n"
            "  read                                                              2\n"
            "  write                                                             2\n");
}

TEST_F(AggregationTest, SortsByValueThenUnsignedKey) {
  uint32_t id = by_int();
  source.put(id, key(-1), 0, {5});
  source.put(id, key(2), 0, {5});
  source.put(id, key(3), 0, {-5});
  EXPECT_EQ(finish(),
            "\n"
            "        3               -5\n"
            "        2                5\n"
            "       -1                5\n");
}

TEST_F(AggregationTest, HonorsSortOptions) {
  Layout shape;
  uint32_t first = add_aggregation(AggregationFunction::Sum, {shape.integer(int32_t{0}), shape.integer(int32_t{0})});
  uint32_t second = by_int();
  auto pair = [](int32_t a, int32_t b) {
    Layout layout;
    layout.integer(a);
    layout.integer(b);
    return layout.bytes();
  };
  source.put(first, pair(1, 9), 0, {3});
  source.put(first, pair(2, 8), 0, {1});
  source.put(first, pair(3, 7), 0, {2});
  source.put(second, key(1), 0, {1});
  source.put(second, key(2), 0, {1});
  const std::string lines[] = {"        1        9                3\n", "        2        8                1\n",
                               "        3        7                2\n", "        1                1\n",
                               "        2                1\n"};
  EXPECT_EQ(finish(), "\n" + lines[1] + lines[2] + lines[0] + lines[3] + lines[4]);
  restart();
  set(OptionId::Aggsortrev);
  EXPECT_EQ(finish(), "\n" + lines[4] + lines[3] + lines[0] + lines[2] + lines[1]);
  restart();
  set(OptionId::Aggsortkey);
  EXPECT_EQ(finish(), "\n" + lines[4] + lines[3] + lines[2] + lines[1] + lines[0]);
  restart();
  set(OptionId::Aggsortrev, -1);
  EXPECT_EQ(finish(), "\n" + lines[0] + lines[1] + lines[2] + lines[3] + lines[4]);
  restart();
  set(OptionId::Aggsortkeypos, 1);
  EXPECT_EQ(finish(), "\n" + lines[2] + lines[1] + lines[0] + lines[3] + lines[4]);
}

TEST_F(AggregationTest, PrintaUsesDefaultFormat) {
  uint32_t id = by_int();
  source.put(id, key(1), 0, {3});
  CannedClause canned = printa({id});
  feed(canned);
  EXPECT_EQ(output(), "\n        1                3\n");
  EXPECT_EQ(finish(), "\n");  // printed already
}

TEST_F(AggregationTest, PrintaWithoutElementsPrintsOnlyNewline) {
  uint32_t id = by_int();
  CannedClause canned = printa({id});
  feed(canned);
  EXPECT_EQ(output(), "\n");
  source.put(id, key(1), 0, {3});
  EXPECT_EQ(finish(), "\n        1                3\n");
}

TEST_F(AggregationTest, PrintaJoinsByKey) {
  uint32_t a = by_int(), b = by_int();
  source.put(a, key(1), 0, {5});
  source.put(a, key(3), 0, {1});
  source.put(b, key(2), 0, {7});
  source.put(b, key(3), 0, {6});
  EXPECT_EQ(print(printa({a, b})),
            "\n"
            "        2                0                7\n"
            "        3                1                6\n"
            "        1                5                0\n");
  set(OptionId::Aggsortpos, 1);
  EXPECT_EQ(print(printa({a, b})),
            "\n"
            "        1                5                0\n"
            "        3                1                6\n"
            "        2                0                7\n");
}

TEST_F(AggregationTest, PrintaJoinsStringsOfDifferentWidth) {
  Layout narrow, wide;
  uint32_t a = add_aggregation(AggregationFunction::Sum, {narrow.string("sh", 16)});
  uint32_t b = add_aggregation(AggregationFunction::Sum, {wide.string("sh", 256)});
  source.put(a, narrow.bytes(), 0, {1});
  source.put(b, wide.bytes(), 0, {2});
  EXPECT_EQ(print(printa("%s %@d %@d %@d\n", {a, b})), "sh 1 2 2\n");
}

TEST_F(AggregationTest, PrintaHonorsFormats) {
  uint32_t id = by_int(AggregationFunction::Count);
  source.put(id, key(-7), 0, {30});
  EXPECT_EQ(print(printa("%d: %@d\n", {id})), "-7: 30\n");
  EXPECT_EQ(print(printa("%-6x|%@8u|\n", {id})), "fffffff9|      30|\n");
  EXPECT_EQ(print(printa("%@x once\n", {id})), "1e once\n");
  EXPECT_EQ(print(printa("x", {id})), "x");
}

TEST_F(AggregationTest, PrintaFormatsTimesAndAddresses) {
  ::setenv("TZ", "UTC", 1);
  ::tzset();
  uint32_t time = by_int(AggregationFunction::Sum);
  source.put(time, key(1), 0, {int64_t{1062584621} * 1000000000});
  EXPECT_EQ(print(printa("%@Y|%@22Y|%@.4Y|", {time})), "2003 Sep  3 10:23:41|  2003 Sep  3 10:23:41|2003|");
  EXPECT_EQ(print(printa("%@T", {time})), "Wed, 03 Sep 2003 10:23:41 UTC");
  ::unsetenv("TZ");
  ::tzset();
  uint32_t address = by_int(AggregationFunction::Sum);
  source.put(address, key(1), 0, {static_cast<int64_t>(kernel_base + 0x1010)});
  EXPECT_EQ(print(printa("%@a|%@-25a|%@A", {address})),
            "vmlinux`vfs_read+0x10|vmlinux`vfs_read+0x10    |0xffffffff81001010");
}

TEST_F(AggregationTest, PrintaFormatsSymbolsAndStacks) {
  Layout layout;
  std::vector<Field> keys{layout.kernel_address(kernel_base + 0x1010, Action::Sym),
                          layout.kernel_address(kernel_base + 0x3010, Action::Mod),
                          layout.stack({kernel_base + 0x2000, 0})};
  uint32_t id = add_aggregation(AggregationFunction::Count, keys);
  source.put(id, layout.bytes(), 0, {2});
  EXPECT_EQ(print(printa("%a %-8s|%k%@d\n", {id})), "vmlinux`vfs_read ext4    |\nvmlinux`ksys_read\n2\n");
}

TEST_F(AggregationTest, PrintaFormatsDistributions) {
  Layout layout;
  uint32_t id = add_aggregation(AggregationFunction::Quantize, {layout.integer(int32_t{1})}, 127);
  std::vector<int64_t> words(127);
  words[63] = 1;
  source.put(id, layout.bytes(), 0, words);
  EXPECT_EQ(print(printa("%d%@d\n", {id})),
            "1\n"
            "           value  ------------- Distribution ------------- count    \n"
            "              -1 |                                         0        \n"
            "               0 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n"
            "               1 |                                         0        \n"
            "\n");
}

TEST_F(AggregationTest, PrintsPerCpuValues) {
  set(OptionId::Aggpercpu);
  uint32_t id = by_int();
  source.put(id, key(1), 0, {5});
  source.put(id, key(1), 1, {-2});
  EXPECT_EQ(finish(),
            "\n"
            "        1                3\n"
            "    [CPU 0]                5\n"
            "    [CPU 1]               -2\n");
}

TEST_F(AggregationTest, NormalizePersists) {
  uint32_t id = by_int();
  source.put(id, key(1), 0, {-10});
  CannedClause normalize = clause(), zero = clause(), print_it = printa("%@d\n", {id}),
               denormalize = on(Action::Denormalize, {id});
  normalize.action(Action::Normalize, {normalize.layout.integer(uint64_t{3})}).on({id});
  zero.action(Action::Normalize, {zero.layout.integer(uint64_t{0})}).on({id});
  for (CannedClause* canned : {&normalize, &zero, &print_it, &denormalize}) add(*canned);
  feed(normalize);
  feed(print_it);
  feed(zero);
  start_pass();
  feed(print_it);
  feed(denormalize);
  feed(print_it);
  EXPECT_EQ(output(), "-3\n-3\n-10\n");
  EXPECT_EQ(messages.text(), "dscope: normalize( ) of @a0 by 0 is ignored\n");
}

TEST_F(AggregationTest, ClearSubtractsTheSnapshot) {
  uint32_t id = by_int();
  source.put(id, key(1), 0, {5});
  source.put(id, key(1), 1, {2});
  CannedClause clear = on(Action::Clear, {id}), print_it = printa("%d:%@d ", {id});
  add(clear);
  add(print_it);
  feed(print_it);
  source.put(id, key(1), 0, {6});  // arrives between snapshot and clear(): must not be lost
  source.put(id, key(2), 0, {1});
  feed(clear);
  feed(print_it);  // keys remain
  start_pass();
  feed(print_it);
  source.put(id, key(1), 1, {12});
  start_pass();
  feed(print_it);
  feed(clear);
  start_pass();
  feed(print_it);
  EXPECT_EQ(output(), "1:7 1:0 1:1 2:1 2:1 1:11 1:0 2:0 ");
}

TEST_F(AggregationTest, ClearOfStddevBorrowsFromTheHighWord) {
  Layout layout;
  uint32_t id = add_aggregation(AggregationFunction::Stddev, {layout.integer(int32_t{1})}, 4);
  source.put(id, layout.bytes(), 0, {1, 5, -1, 0});
  CannedClause clear = on(Action::Clear, {id});
  feed(clear);
  // One more value of 2^32: sum of squares crosses into the high word.
  source.put(id, layout.bytes(), 0, {2, 5 + (int64_t{1} << 32), -1, 1});
  EXPECT_EQ(finish(), "\n        1                0\n");
}

TEST_F(AggregationTest, TruncKeepsLargestOrSmallest) {
  uint32_t id = by_int();
  for (int32_t i = 1; i <= 5; ++i) source.put(id, key(i), 0, {10 * i});
  CannedClause keep_largest = trunc(id, 4), keep_smallest = trunc(id, -2), keep_many = trunc(id, 99);
  CannedClause all = on(Action::Trunc, {id}), print_it = printa("%d:%@d ", {id});
  for (CannedClause* canned : {&keep_largest, &keep_smallest, &keep_many, &all, &print_it}) add(*canned);
  feed(keep_largest);
  feed(print_it);
  EXPECT_EQ(output(), "2:20 3:30 4:40 5:50 ");
  feed(keep_smallest);
  feed(print_it);
  EXPECT_EQ(output(), "2:20 3:30 ");
  start_pass();
  feed(keep_many);
  feed(print_it);
  EXPECT_EQ(output(), "2:20 3:30 ");
  feed(all);
  feed(print_it);
  start_pass();
  feed(print_it);
  EXPECT_EQ(output(), "");
  EXPECT_EQ(source.removed.size(), 5u);
}

TEST_F(AggregationTest, TruncRemovesAllKeysPrintedAsOne) {
  Layout a, b;
  Field field = a.kernel_address(kernel_base + 0x1004, Action::Sym);
  b.kernel_address(kernel_base + 0x1008, Action::Sym);
  uint32_t id = add_aggregation(AggregationFunction::Count, {field});
  source.put(id, a.bytes(), 0, {1});
  source.put(id, b.bytes(), 0, {1});
  CannedClause all = on(Action::Trunc, {id});
  feed(all);
  EXPECT_EQ(source.removed.size(), 2u);
  EXPECT_EQ(finish(), "\n");
}

TEST_F(AggregationTest, UpdatesBetweenSnapshotAndRemovalCount) {
  uint32_t sum = by_int(), low = by_int(AggregationFunction::Min);
  CannedClause all_sum = on(Action::Trunc, {sum}), all_low = on(Action::Trunc, {low});
  CannedClause print_it = printa("%d:%@d ", {sum}), print_low = printa("%d:%@d ", {low});
  for (CannedClause* canned : {&all_sum, &all_low, &print_it, &print_low}) add(*canned);
  source.put(sum, key(1), 0, {5});
  source.put_extreme(low, key(1), 0, 5);
  feed(print_it);
  feed(print_low);
  source.before_removal = [&] {
    source.put(sum, key(1), 0, {7});
    source.put_extreme(low, key(1), 0, 4);
  };
  feed(all_sum);
  source.put(sum, key(1), 0, {7});
  feed(all_low);
  source.before_removal = {};
  source.elements.clear();
  for (int pass = 0; pass < 2; ++pass) {
    start_pass();
    feed(print_it);
    feed(print_low);
  }
  // The key reappears, and is removed without late updates.
  source.put(sum, key(1), 0, {10});
  source.put_extreme(low, key(1), 0, 3);
  start_pass();
  feed(print_it);
  feed(print_low);
  feed(all_sum);
  feed(all_low);
  start_pass();
  feed(print_it);
  feed(print_low);
  EXPECT_EQ(output(), "1:5 1:5 1:2 1:4 1:2 1:4 1:12 1:3 ");
}

TEST_F(AggregationTest, KeyRecreatedAfterTruncStartsFromZero) {
  uint32_t id = by_int();
  source.put(id, key(1), 0, {5});
  CannedClause clear = on(Action::Clear, {id}), all = on(Action::Trunc, {id});
  add(clear);
  add(all);
  feed(clear);
  feed(all);
  feed(clear);
  source.put(id, key(1), 0, {3});
  EXPECT_EQ(finish(), "\n        1                3\n");
}

TEST_F(AggregationTest, TruncOfUnkeyedHidesUntilUpdated) {
  uint32_t count = add_aggregation(AggregationFunction::Count), low = add_aggregation(AggregationFunction::Min);
  source.put(count, {}, 0, {5, 1});
  source.put_extreme(low, {}, 0, 5);
  CannedClause all_count = on(Action::Trunc, {count}), all_low = on(Action::Trunc, {low});
  CannedClause clear_count = on(Action::Clear, {count}), clear_low = on(Action::Clear, {low});
  CannedClause print_it = printa("%@d ", {count}), print_low = printa("%@d ", {low});
  for (CannedClause* canned : {&all_count, &all_low, &clear_count, &clear_low, &print_it, &print_low}) add(*canned);
  feed(all_count);
  feed(all_low);
  start_pass();
  feed(print_it);
  feed(print_low);
  feed(clear_count);
  feed(clear_low);
  start_pass();
  feed(print_it);
  feed(print_low);
  EXPECT_EQ(output(), "");
  source.put(count, {}, 0, {7, 1});
  source.put_extreme(low, {}, 1, 6);
  start_pass();
  feed(print_it);
  feed(print_low);
  EXPECT_EQ(output(), "2 6 ");
}

TEST_F(AggregationTest, TakesAtMostOneSnapshotPerPass) {
  uint32_t id = by_int();
  CannedClause print_it = printa({id});
  add(print_it);
  feed(print_it);
  feed(print_it);
  EXPECT_EQ(source.reads, 1);
  start_pass();
  start_pass();
  EXPECT_EQ(source.reads, 1);
  feed(print_it);
  EXPECT_EQ(source.reads, 2);
}

TEST_F(AggregationTest, AggrateDelaysSnapshots) {
  set(OptionId::Aggrate, int64_t{3600} * 1000000000);
  uint32_t id = by_int();
  source.put(id, key(1), 0, {1});
  CannedClause print_it = printa("%@d ", {id}), at_end = printa("%@d ", {id});
  at_end.probe_row = 1;
  add(print_it);
  add(at_end);
  feed(print_it);
  source.put(id, key(1), 0, {2});
  start_pass();
  feed(print_it);
  start_pass();
  feed(at_end);
  EXPECT_EQ(output(), "1 1 2 ");
}

TEST_F(AggregationTest, SecondInterruptPrintsNoAggregations) {
  uint32_t id = by_int();
  source.put(id, key(1), 0, {1});
  EXPECT_EQ(finish(false), "\n");
}

}  // namespace
}  // namespace dscope::test
