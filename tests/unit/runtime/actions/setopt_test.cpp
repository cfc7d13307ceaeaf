// setopt(): options that can change while records are consumed, and rejected options
// (consumer-and-actions.md 2.7, 3.13).
#include "tests/unit/runtime/output/output_fixture.h"

namespace dscope::test {
namespace {

class SetoptTest : public OutputTest {
 protected:
  CannedClause setopt(const std::string& name, std::optional<std::string> value = std::nullopt) {
    CannedClause canned = clause(0, false);
    std::vector<Field> fields{canned.layout.string(name, 32)};
    if (value) fields.push_back(canned.layout.string(*value, 32));
    canned.action(Action::Setopt, std::move(fields));
    return canned;
  }
  // The message of a failure; empty on success.
  std::string failure(const std::string& name, std::optional<std::string> value = std::nullopt) {
    print(setopt(name, std::move(value)));
    return messages.take();
  }
};

TEST_F(SetoptTest, ChangesDynamicOptions) {
  EXPECT_EQ(failure("stackindent", "3"), "");
  EXPECT_EQ(consumer().options().number(OptionId::Stackindent), 3);
  EXPECT_EQ(failure("aggrate", "2s"), "");
  EXPECT_EQ(consumer().options().number(OptionId::Aggrate), 2000000000);
  EXPECT_EQ(failure("switchrate", "10hz"), "");
  EXPECT_EQ(consumer().options().number(OptionId::Switchrate), 100000000);
}

TEST_F(SetoptTest, MissingValueSwitchesOn) {
  EXPECT_EQ(failure("aggsortrev"), "");
  EXPECT_TRUE(consumer().options().is_on(OptionId::Aggsortrev));
}

TEST_F(SetoptTest, FailuresCannotControlTheTerminal) {
  CaptureStream terminal{true};
  CannedClause canned = setopt("quiet", "a\x1b[2J");
  add(canned);
  auto consumer = Consumer::create(plan, settings, source, symbols, out, terminal);
  std::vector<std::byte> record = canned.layout.bytes();
  ds_record_header header{.clause = canned.plan.number, .probe_row = 0, .cpu = 0, .speculation = 0};
  std::memcpy(record.data(), &header, sizeof header);
  consumer->record(record);
  EXPECT_NE(terminal.text().find("to \"a^[[2J\": "), std::string::npos) << terminal.text();
}

TEST_F(SetoptTest, EmptyValueSwitchesOff) {
  set(OptionId::Rawbytes);
  EXPECT_EQ(failure("rawbytes", ""), "");
  EXPECT_FALSE(consumer().options().is_on(OptionId::Rawbytes));
}

TEST_F(SetoptTest, EveryDynamicOptionIsAllowed) {
  for (const char* name : {"aggrate", "aggsortkey", "aggsortkeypos", "aggsortpos", "aggsortrev", "flowindent",
                           "printsize", "quiet", "quietresize", "rawbytes", "rawtext", "stackindent", "switchrate"})
    EXPECT_EQ(failure(name), "") << name;
}

TEST_F(SetoptTest, FailuresNameClauseAndProbe) {
  const std::string prefix = "dscope: error in dt_clause_0 for probe ID 1 (dtrace:::BEGIN): ";
  EXPECT_EQ(failure("nosuch"), prefix + "couldn't set option \"nosuch\" to \"1\": Invalid option name\n\n");
  restart();
  plan.clauses.clear();
  EXPECT_EQ(failure("strsize", "16"),
            prefix + "couldn't set option \"strsize\" to \"16\": Operation illegal when tracing is active\n\n");
  restart();
  plan.clauses.clear();
  EXPECT_EQ(failure("quiet", "perhaps"),
            prefix + "couldn't set option \"quiet\" to \"perhaps\": Invalid value for specified option\n\n");
}

TEST_F(SetoptTest, QuietAffectsLaterRows) {
  CannedClause first = clause();
  first.action(Action::Trace, {first.layout.integer(int32_t{1})});
  CannedClause second = setopt("quiet");
  CannedClause third = clause();
  third.action(Action::Trace, {third.layout.integer(int32_t{2})});
  for (CannedClause* canned : {&first, &second, &third}) add(*canned);
  feed(first);
  EXPECT_TRUE(output().ends_with(" 1\n"));
  feed(second);
  feed(third);
  EXPECT_EQ(output(), "2");
}

}  // namespace
}  // namespace dscope::test
