// TextSteps: rows written into the stream's buffer are the rows that strings give.
#include "runtime/format/text_steps.h"

#include "runtime/format/write_number.h"
#include "tests/unit/runtime/output/output_fixture.h"

namespace dscope::test {
namespace {

// A stream without a buffer: rows for it are made as strings.
class UnbufferedStream final : public OutputStream {
 public:
  void write(std::string_view text) override { text_ += text; }
  void flush() override {}
  int error() const override { return 0; }
  std::string text_;
};

class TextStepsTest : public OutputTest {
 protected:
  // Prints each record of the clause twice, in a new consumer, on `stream`.
  void run(CannedClause canned, OutputStream& stream) {
    add(canned);
    auto consumer = Consumer::create(plan, settings, source, symbols, stream, messages);
    std::vector<std::byte> record = canned.layout.bytes();
    ds_record_header header{.clause = canned.plan.number, .probe_row = 0, .cpu = 12, .speculation = 0};
    std::memcpy(record.data(), &header, sizeof header);
    for (int times = 0; times < 2; ++times) consumer->record(record);
  }
  void expect_same_rows(const CannedClause& canned, const std::string& what) {
    UnbufferedStream strings;
    CaptureStream buffered;
    ProgramPlan saved = plan;
    run(canned, strings);
    plan = saved;
    run(canned, buffered);
    plan = saved;
    EXPECT_EQ(buffered.text(), strings.text_) << what;
  }
  void expect_same_rows(Action action, int32_t format, const std::function<Field(Layout&)>& value,
                        const std::string& what) {
    for (bool is_quiet : {false, true}) {
      set(OptionId::Quiet, is_quiet ? 1 : -1);
      CannedClause canned = clause();
      std::vector<Field> fields = {value(canned.layout)};
      canned.plan.actions.push_back({.action = action, .fields = fields, .format = format});
      expect_same_rows(canned, what + (is_quiet ? ", quiet" : ""));
    }
  }
};

TEST_F(TextStepsTest, NumbersAreThoseOfStrings) {
  for (const char* text : {"%d\n", "%u", "%i", "[%8d]", "[%-8d]", "[%08d]", "[%-08d]", "%x", "[%6x]", "[%016x]", "%p",
                           "%%%d%%", "a literal that fills more than one block %d and another one of that kind"}) {
    int32_t format = add_format(text);
    for (int64_t value : {int64_t{0}, int64_t{9}, int64_t{10}, int64_t{99}, int64_t{100}, int64_t{-1}, int64_t{-100},
                          int64_t{4294967295}, int64_t{4294967296}, INT64_MAX, INT64_MIN}) {
      std::string what = std::string(text) + " of " + std::to_string(value);
      auto expect_same = [&](auto number) {
        expect_same_rows(Action::Printf, format, [&](Layout& layout) { return layout.integer(number); }, what);
      };
      expect_same(value);
      expect_same(static_cast<uint64_t>(value));
      expect_same(static_cast<int32_t>(value));
      expect_same(static_cast<uint32_t>(value));
      expect_same(static_cast<int8_t>(value));
      expect_same(static_cast<uint16_t>(value));
    }
  }
}

TEST_F(TextStepsTest, TextIsThatOfStrings) {
  for (const char* text : {"%s\n", "[%12s]", "[%-12s]", "[%2s]", "[%c]", "[%3c]", "[%-3c]"}) {
    int32_t format = add_format(text);
    bool is_character = std::string_view(text).find('c') != std::string_view::npos;
    auto value = [&](std::string content) {
      return [is_character, content](Layout& layout) {
        return is_character ? layout.integer(static_cast<int32_t>(content.empty() ? 0 : content[0]))
                            : layout.string(content, 16);
      };
    };
    for (const char* content : {"", "x", "\033[2J", "sixteen bytes ..", "caf\u00e9\n"})
      expect_same_rows(Action::Printf, format, value(content), std::string(text) + " of " + content);
    if (!is_character)
      expect_same_rows(
          Action::Printf, format, [](Layout& layout) { return layout.probe_name(0, ProbePart::Function); }, text);
  }
}

TEST_F(TextStepsTest, TraceIsThatOfStrings) {
  for (int option : {0, 1}) {
    set(OptionId::Rawbytes, option);
    for (int64_t value : {int64_t{0}, int64_t{-7}, INT64_MIN}) {
      expect_same_rows(Action::Trace, -1, [&](Layout& layout) { return layout.integer(value); }, "signed");
      expect_same_rows(
          Action::Trace, -1, [&](Layout& layout) { return layout.integer(static_cast<uint16_t>(value)); }, "unsigned");
    }
    expect_same_rows(Action::Trace, -1, [](Layout& layout) { return layout.string("a name", 32); }, "string");
  }
}

TEST_F(TextStepsTest, RowsWithoutActionsAreThoseOfStrings) { expect_same_rows(clause(), "default row"); }

// Targets may load code while they are traced: its probes have new rows, perhaps with longer names.
TEST_F(TextStepsTest, LaterProbesMayHaveLongerNames) {
  auto rows = [&](OutputStream& stream) {
    CannedClause canned = clause();
    Field name = canned.layout.probe_name(0, ProbePart::Function);
    canned.plan.actions.push_back({.action = Action::Printf, .fields = {name}, .format = add_format("%s")});
    add(canned);
    auto consumer = Consumer::create(plan, settings, source, symbols, stream, messages);
    std::vector<std::byte> record = canned.layout.bytes();
    for (uint32_t row : {0U, 1U, 3U}) {
      if (row == 3) add_probe("pid1", "a.out", std::string(300000, 'f'), "entry");
      ds_record_header header{.clause = canned.plan.number, .probe_row = row, .cpu = 0, .speculation = 0};
      std::memcpy(record.data(), &header, sizeof header);
      std::memcpy(record.data() + name.offset, &row, sizeof row);
      consumer->record(record);
    }
  };
  UnbufferedStream strings;
  CaptureStream buffered;
  ProgramPlan saved = plan;
  rows(strings);
  plan = saved;
  rows(buffered);
  EXPECT_GT(strings.text_.size(), 600000U);
  EXPECT_EQ(buffered.text(), strings.text_);
}

TEST(WriteNumber, CountsDigits) {
  uint64_t power = 1;
  for (size_t digits = 1; digits <= 20; ++digits, power *= 10) {
    EXPECT_EQ(count_digits(power), digits);
    EXPECT_EQ(count_digits(power - 1), std::max<size_t>(digits - 1, 1));
  }
  EXPECT_EQ(count_digits(0), 1u);
  EXPECT_EQ(count_digits(UINT64_MAX), 20u);
  EXPECT_EQ(count_hex_digits(0), 1u);
  EXPECT_EQ(count_hex_digits(0x10), 2u);
  EXPECT_EQ(count_hex_digits(UINT64_MAX), 16u);
}

TEST(WriteNumber, WritesDigits) {
  auto text = [](uint64_t value) {
    char buffer[max_digits];
    return std::string(buffer, write_decimal(buffer, value));
  };
  for (uint64_t value = 0; value < 20'000; ++value) ASSERT_EQ(text(value), std::to_string(value));
  uint64_t random = 1;
  for (int i = 0; i < 200'000; ++i) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    uint64_t value = random >> (i % 64);
    ASSERT_EQ(text(value), std::to_string(value));
  }
  for (uint64_t power = 1; power <= UINT64_MAX / 10; power *= 10) {
    EXPECT_EQ(text(power), std::to_string(power));
    EXPECT_EQ(text(power - 1), std::to_string(power - 1));
  }
  EXPECT_EQ(text(UINT64_MAX), "18446744073709551615");
}

}  // namespace
}  // namespace dscope::test
