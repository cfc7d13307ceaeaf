// Every conversion of consumer-and-actions.md 4.2 with flags, width and precision.
#include <cstdlib>
#include <ctime>

#include "tests/unit/runtime/output/output_fixture.h"

namespace dscope::test {
namespace {

class PrintfTest : public OutputTest {
 protected:
  template <typename T>
  std::string number(const std::string& format, T value) {
    return print_format(format, [&](Layout& l) { return std::vector{l.integer(value)}; });
  }
  std::string text(const std::string& format, const std::string& value, uint32_t size = 16) {
    return print_format(format, [&](Layout& l) { return std::vector{l.string(value, size)}; });
  }
};

TEST_F(PrintfTest, PrintsLiteralsAndPercent) {
  EXPECT_EQ(print_format("plain\n", [](Layout&) { return std::vector<Field>{}; }), "plain\n");
  EXPECT_EQ(print_format("100%% of it", [](Layout&) { return std::vector<Field>{}; }), "100% of it");
}

TEST_F(PrintfTest, RowOfDefaultModeEndsItself) {
  CannedClause canned = clause();
  canned.action(Action::Printf);
  canned.plan.actions[0].format = add_format("x\n");
  EXPECT_EQ(print(canned),
            "CPU     ID                    FUNCTION:NAME\n"
            "  0      1                           :BEGIN x\n\n");
}

TEST_F(PrintfTest, DecimalFollowsTheStaticType) {
  EXPECT_EQ(number("%d", int32_t{-1}), "-1");
  EXPECT_EQ(number("%i", int8_t{-1}), "-1");
  EXPECT_EQ(number("%d", uint32_t{0xffffffff}), "4294967295");
  EXPECT_EQ(number("%d", uint8_t{0xff}), "255");
  EXPECT_EQ(number("%d", INT64_MIN), "-9223372036854775808");
  EXPECT_EQ(number("%lld", ~uint64_t{0}), "18446744073709551615");
}

TEST_F(PrintfTest, UnsignedUsesTheWidthOfTheType) {
  EXPECT_EQ(number("%x", int8_t{-17}), "ef");
  EXPECT_EQ(number("%u", int16_t{-1}), "65535");
  EXPECT_EQ(number("%u", int32_t{-1}), "4294967295");
  EXPECT_EQ(number("%X", int32_t{-1}), "FFFFFFFF");
  EXPECT_EQ(number("%o", int8_t{-1}), "377");
  EXPECT_EQ(number("%llx", int64_t{-1}), "ffffffffffffffff");
  EXPECT_EQ(number("%p", uint64_t{0xdeadbeef}), "deadbeef");
  EXPECT_EQ(number("%?p|", uint64_t{0xdeadbeef}), "        deadbeef|");
}

// Formats of plain numbers have a path of their own, unless the text is long.
TEST_F(PrintfTest, RowsOfNumbers) {
  auto numbers = [](Layout& l) {
    return std::vector{l.integer(INT64_MIN), l.integer(~uint64_t{0}), l.integer(uint32_t{0xbeef}),
                       l.integer(int8_t{-5}), l.integer(uint16_t{7})};
  };
  constexpr const char* expected = "-9223372036854775808 18446744073709551615 beef 100%-5 07\n";
  EXPECT_EQ(print_format("%d %u %x 100%%%i 0%p\n", numbers), expected);
  std::string title(2000, 't');
  EXPECT_EQ(print_format(title + "%d %u %x 100%%%i 0%p\n", numbers), title + expected);
  EXPECT_EQ(print_format("%d %u %x 100%%%i 0%o\n", numbers), expected);
}

TEST_F(PrintfTest, HonorsIntegerFlags) {
  EXPECT_EQ(number("%8d|", 42), "      42|");
  EXPECT_EQ(number("%-8d|", 42), "42      |");
  EXPECT_EQ(number("%08d|", -42), "-0000042|");
  EXPECT_EQ(number("%+d|", 42), "+42|");
  EXPECT_EQ(number("% d|", 42), " 42|");
  EXPECT_EQ(number("%+d|", uint32_t{42}), "42|");
  EXPECT_EQ(number("%.5d|", 42), "00042|");
  EXPECT_EQ(number("%8.5d|", -42), "  -00042|");
  EXPECT_EQ(number("%08.5d|", 42), "   00042|");
  EXPECT_EQ(number("%#x|", 255), "0xff|");
  EXPECT_EQ(number("%#X|", 255), "0XFF|");
  EXPECT_EQ(number("%#08x|", 255), "0x0000ff|");
  EXPECT_EQ(number("%#x|", 0), "0|");
  EXPECT_EQ(number("%#o|", 8), "010|");
  EXPECT_EQ(number("%#.2o|", 8), "010|");
  EXPECT_EQ(number("%#.5o|", 8), "00010|");
  EXPECT_EQ(number("%.0d|", 0), "0|");             // precision 0 is no precision
  EXPECT_EQ(number("%'d|", 1234567), "1234567|");  // the C locale has no separator
  EXPECT_EQ(number("%'10d|", -1234567), "  -1234567|");
}

// Compares every combination of flags, width and precision with the C library. Precision 0 is excluded: D treats it as
// no precision.
TEST_F(PrintfTest, FormatsIntegersAsC) {
  const int64_t values[] = {0, -1, 42, INT64_MIN};
  const std::string flags = "#0-+ ";
  for (unsigned set = 0; set < 1u << flags.size(); ++set) {
    std::string start = "%";
    for (size_t i = 0; i < flags.size(); ++i)
      if ((set >> i & 1) != 0) start += flags[i];
    for (const char* size : {"", "8", ".1", ".3", "8.3", "30.25"}) {
      for (char letter : std::string("diouxX")) {
        std::string format = start + size + letter, c_format = start + size + "ll" + letter;
        // In D the last of the flags 0 and - wins, in C always -.
        for (int64_t value : values) {
          char expected[64];
          ::snprintf(expected, sizeof expected, c_format.c_str(), static_cast<long long>(value));
          ASSERT_EQ(number(format, value), expected) << format << " of " << value;
        }
      }
    }
  }
}

TEST_F(PrintfTest, FormatsStringsAsC) {
  for (const char* style : {"%s|", "%3s|", "%8s|", "%-8s|", "%.3s|", "%8.3s|", "%-8.3s|", "%.20s|", "%-1.1s|"}) {
    for (const char* value : {"", "a", "hello", "fifteen letters"}) {
      char expected[64];
      ::snprintf(expected, sizeof expected, style, value);
      EXPECT_EQ(text(style, value), expected) << style;
    }
  }
}

TEST_F(PrintfTest, AcceptsDynamicWidthAndPrecision) {
  auto dynamic = [&](const std::string& format, int32_t by, int32_t value) {
    return print_format(format, [&](Layout& l) { return std::vector{l.integer(by), l.integer(value)}; });
  };
  EXPECT_EQ(dynamic("%*d|", 6, 42), "    42|");
  EXPECT_EQ(dynamic("%*d|", -6, 42), "42    |");
  EXPECT_EQ(dynamic("%.*d|", 4, 42), "0042|");
  EXPECT_EQ(dynamic("%.*d|", -4, 42), "42|");
  auto cut = [&](int32_t precision) {
    return print_format("%.*s|", [&](Layout& l) { return std::vector{l.integer(precision), l.string("hello", 8)}; });
  };
  EXPECT_EQ(cut(2), "he|");
  EXPECT_EQ(cut(0), "hello|");
  EXPECT_EQ(
      print_format("%*.*s|", [](Layout& l) { return std::vector{l.integer(6), l.integer(2), l.string("hello", 8)}; }),
      "    he|");
}

TEST_F(PrintfTest, PadsToHugeWidth) { EXPECT_EQ(number("%9999999d", 1).size(), 9999999u); }

TEST_F(PrintfTest, Strings) {
  EXPECT_EQ(text("%s|", "hello"), "hello|");
  EXPECT_EQ(text("%s|", "full", 4), "full|");
  EXPECT_EQ(text("%8s|", "hello"), "   hello|");
  EXPECT_EQ(text("%-8s|", "hello"), "hello   |");
  EXPECT_EQ(text("%08s|", "hello"), "   hello|");
  EXPECT_EQ(text("%.2s|", "hello"), "he|");
  EXPECT_EQ(text("%.0s|", "hello"), "hello|");
  EXPECT_EQ(print_format("%s|", [](Layout& l) { return std::vector{l.raw(std::string("ab\0cd", 5), true)}; }), "ab|");
  uint32_t row = add_probe("fbt", "vmlinux", "vfs_read", "entry");
  EXPECT_EQ(print_format("%-10s|", [&](Layout& l) { return std::vector{l.probe_name(row, ProbePart::Function)}; }),
            "vfs_read  |");
}

TEST_F(PrintfTest, EscapedStrings) {
  EXPECT_EQ(text("%S", "a\"b\\c\n\t\a\b\f\r\v d\x01\xff", 18), "a\\\"b\\\\c\\n\\t\\a\\b\\f\\r\\v d\\001\\377\\0");
  EXPECT_EQ(text("%S", "full", 4), "full");
  EXPECT_EQ(text("%S", "ab", 8), "ab\\0");
}

TEST_F(PrintfTest, Characters) {
  EXPECT_EQ(number("%c%%", int8_t{'x'}), "x%");
  EXPECT_EQ(number("%3c|", int32_t{'x'}), "  x|");
  EXPECT_EQ(number("%-3c|", int32_t{'x'}), "x  |");
  EXPECT_EQ(number("%c", int32_t{0}), std::string(1, '\0'));
  EXPECT_EQ(number("%C", int32_t{'\n'}), "\\n");
  EXPECT_EQ(number("%C", int32_t{0x1b}), "\\033");
  EXPECT_EQ(number("%C", int32_t{'x'}), "x");
  EXPECT_EQ(number("%wc", int32_t{0xe4}), "\xc3\xa4");
  EXPECT_EQ(number("%lc", int32_t{0x1f600}), "\xf0\x9f\x98\x80");
}

TEST_F(PrintfTest, WideStrings) {
  auto wide = [&](const std::string& format) {
    return print_format(
        format, [](Layout& l) { return std::vector{l.raw(std::string("h\0\0\0\xe4\0\0\0\0\0\0\0x\0\0\0", 16))}; });
  };
  EXPECT_EQ(wide("%ls|"), "h\xc3\xa4|");
  EXPECT_EQ(wide("%ws|"), "h\xc3\xa4|");
}

TEST_F(PrintfTest, Floats) {
  auto print_float = [&]<typename T>(const std::string& format, T value) {
    return print_format(format, [&](Layout& l) {
      return std::vector{l.raw(std::string(reinterpret_cast<const char*>(&value), sizeof value))};
    });
  };
  EXPECT_EQ(print_float("%f", 1.5), "1.500000");
  EXPECT_EQ(print_float("%8.2f|", 1.5f), "    1.50|");
  EXPECT_EQ(print_float("%-9.1e|", 1234.0), "1.2e+03  |");
  EXPECT_EQ(print_float("%g", 0.0), "0");
  EXPECT_EQ(print_float("%.0f", 0.5), "0.500000");
}

TEST_F(PrintfTest, Times) {
  ::setenv("TZ", "PST8PDT,M3.2.0,M11.1.0", 1);
  ::tzset();
  EXPECT_EQ(number("%Y", uint64_t{1062609821} * 1000000000), "2003 Sep  3 10:23:41");
  EXPECT_EQ(number("%T", uint64_t{1062609821} * 1000000000), "Wed, 03 Sep 2003 10:23:41 PDT");
  EXPECT_EQ(number("%T", int64_t{0}), "Wed, 31 Dec 1970 16:00:00 PST");
  EXPECT_EQ(number("%22Y|", int64_t{0}), "  1969 Dec 31 16:00:00|");
  ::unsetenv("TZ");
  ::tzset();
}

TEST_F(PrintfTest, Addresses) {
  EXPECT_EQ(number("%a", kernel_base + 0x1010), "vmlinux`vfs_read+0x10");
  EXPECT_EQ(number("%a", kernel_base + 0x1000), "vmlinux`vfs_read");
  EXPECT_EQ(number("%a", kernel_base + 0x4008), "ext4`0xffffffff81004008");
  EXPECT_EQ(number("%a", uint64_t{0x123}), "0x123");
  EXPECT_EQ(number("%20a|", kernel_base + 0x1000), "    vmlinux`vfs_read|");
  settings.target_tgid = 42;
  EXPECT_EQ(number("%A", uint64_t{0x4004}), "prog`main+0x4");
}

TEST_F(PrintfTest, Stacks) {
  auto stack = [&](const std::string& format) {
    return print_format(
        format, [](Layout& l) { return std::vector{l.stack({kernel_base + 0x1010, kernel_base + 0x2000, 0})}; });
  };
  EXPECT_EQ(stack("%k"), "\nvmlinux`vfs_read+0x10\nvmlinux`ksys_read\n");
  EXPECT_EQ(stack("%24k"), "\n   vmlinux`vfs_read+0x10\n       vmlinux`ksys_read\n");
  EXPECT_EQ(stack("%-4k"), "\n    vmlinux`vfs_read+0x10\n    vmlinux`ksys_read\n");
  EXPECT_EQ(print_format("%*k", [](Layout& l) { return std::vector{l.integer(-2), l.stack({kernel_base + 0x2000})}; }),
            "\n  vmlinux`ksys_read\n");
}

}  // namespace
}  // namespace dscope::test
