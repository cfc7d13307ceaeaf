// trace() of every type, and raw-byte dumps (consumer-and-actions.md 3.2, 3.3).
#include "tests/unit/runtime/output/output_fixture.h"

namespace dscope::test {
namespace {

class TraceTest : public OutputTest {
 protected:
  // The row without its prefix and end.
  std::string trace(const std::function<Field(Layout&)>& value) {
    settings.is_testing = true;
    plan.options.set_number(OptionId::Quiet, -1);
    std::string text = traced(value);
    constexpr size_t prefix = 33 + 33;
    return text.substr(prefix, text.size() - prefix - 1);
  }
  std::string trace_quiet(const std::function<Field(Layout&)>& value) {
    set(OptionId::Quiet);
    return traced(value);
  }

 private:
  std::string traced(const std::function<Field(Layout&)>& value) {
    CannedClause canned = clause();
    canned.action(Action::Trace, {value(canned.layout)});
    return print(canned);
  }
};

TEST_F(TraceTest, PrintsIntegersByWidthAndSign) {
  EXPECT_EQ(trace([](Layout& l) { return l.integer(int64_t{-5}); }), "                  -5");
  EXPECT_EQ(trace([](Layout& l) { return l.integer(uint64_t{5}); }), "                    5");
  EXPECT_EQ(trace([](Layout& l) { return l.integer(~uint64_t{0}); }), " 18446744073709551615");
  EXPECT_EQ(trace([](Layout& l) { return l.integer(int32_t{-17}); }), "        -17");
  EXPECT_EQ(trace([](Layout& l) { return l.integer(uint32_t{4000000000}); }), " 4000000000");
  EXPECT_EQ(trace([](Layout& l) { return l.integer(int16_t{-17}); }), "   -17");
  EXPECT_EQ(trace([](Layout& l) { return l.integer(uint16_t{65535}); }), " 65535");
  EXPECT_EQ(trace([](Layout& l) { return l.integer(int8_t{-17}); }), " -17");
  EXPECT_EQ(trace([](Layout& l) { return l.integer(uint8_t{239}); }), " 239");
}

TEST_F(TraceTest, QuietHasNoPadding) {
  EXPECT_EQ(trace_quiet([](Layout& l) { return l.integer(int64_t{-5}); }), "-5");
  EXPECT_EQ(trace_quiet([](Layout& l) { return l.integer(uint8_t{239}); }), "239");
  EXPECT_EQ(trace_quiet([](Layout& l) { return l.string("ab", 8); }), "ab");
}

TEST_F(TraceTest, PrintsStrings) {
  EXPECT_EQ(trace([](Layout& l) { return l.string("ab", 257); }), "  ab                               ");
  EXPECT_EQ(trace([](Layout& l) { return l.string("full", 4); }), "  full                             ");
  EXPECT_EQ(trace([](Layout& l) { return l.string(std::string(40, 'x'), 64); }), "  " + std::string(40, 'x'));
}

TEST_F(TraceTest, PrintsProbeNames) {
  uint32_t row = add_probe("syscall", "vmlinux", "read", "entry");
  EXPECT_EQ(trace_quiet([&](Layout& l) { return l.probe_name(row, ProbePart::Provider); }), "syscall");
  EXPECT_EQ(trace_quiet([&](Layout& l) { return l.probe_name(row, ProbePart::Module); }), "vmlinux");
  EXPECT_EQ(trace_quiet([&](Layout& l) { return l.probe_name(row, ProbePart::Function); }), "read");
  EXPECT_EQ(trace_quiet([&](Layout& l) { return l.probe_name(row, ProbePart::Name); }), "entry");
  EXPECT_EQ(trace_quiet([&](Layout& l) { return l.probe_name(999, ProbePart::Name); }), "");
}

TEST_F(TraceTest, ObjectsAreDumped) {
  EXPECT_EQ(trace_quiet([](Layout& l) { return l.raw(std::string("\x34\x12\0\0\0\0\0\0\x76\x98\0\0", 12)); }),
            "\n"
            "             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n"
            "         0: 34 12 00 00 00 00 00 00 76 98 00 00              4.......v...\n");
  EXPECT_EQ(trace_quiet([](Layout& l) { return l.raw("0123456789abcdefgh"); }),
            "\n"
            "             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n"
            "         0: 30 31 32 33 34 35 36 37 38 39 61 62 63 64 65 66  0123456789abcdef\n"
            "        10: 67 68                                            gh\n");
}

TEST_F(TraceTest, RawBytesDumpsNumbersStringsAndNames) {
  set(OptionId::Rawbytes);
  set(OptionId::Strsize, 4);
  const std::string header = "\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n";
  EXPECT_EQ(trace_quiet([](Layout& l) { return l.integer(int32_t{65}); }),
            header + "         0: 41 00 00 00                                      A...\n");
  EXPECT_EQ(trace_quiet([](Layout& l) { return l.string("ab", 5); }),
            header + "         0: 61 62 00 00 00                                   ab...\n");
  EXPECT_EQ(trace_quiet([](Layout& l) { return l.string("c", 2); }),
            header + "         0: 63 00 00 00 00                                   c....\n");
  uint32_t row = add_probe("p", "m", "f", "n");
  EXPECT_EQ(trace_quiet([&](Layout& l) { return l.probe_name(row, ProbePart::Name); }),
            header + "         0: 6e 00 00 00 00                                   n....\n");
}

TEST_F(TraceTest, StringsAreEscapedOnlyOnTerminals) {
  const std::string text = "a\x1b[2J\x7f\xff\xc3\xa4\xc2\x9b\t\n";
  EXPECT_EQ(trace_quiet([&](Layout& l) { return l.string(text, 32); }), text);
  CaptureStream terminal{true};
  set(OptionId::Quiet);
  CannedClause canned = clause();
  canned.action(Action::Trace, {canned.layout.string(text, 32)});
  add(canned);
  auto consumer = Consumer::create(plan, settings, source, symbols, terminal, messages);
  std::vector<std::byte> record = canned.layout.bytes();
  ds_record_header header{.clause = canned.plan.number, .probe_row = 0, .cpu = 0, .speculation = 0};
  std::memcpy(record.data(), &header, sizeof header);
  consumer->record(record);
  EXPECT_EQ(terminal.text(), "a^[[2J^?M-^?\xc3\xa4M-BM-^[\t\n");
}

}  // namespace
}  // namespace dscope::test
