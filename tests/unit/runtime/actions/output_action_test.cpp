// system(), freopen() and ftruncate(): their effect on the row that contains them (consumer-and-actions.md 3.15
// to 3.17).
#include "tests/unit/runtime/output/output_fixture.h"

namespace dscope::test {
namespace {

class OutputActionTest : public OutputTest {
 protected:
  OutputActionTest() { settings.is_testing = true; }

  // trace("before"), the action with this text as its format, trace("after").
  CannedClause around(Action action, const std::string& text = "") {
    CannedClause canned = clause();
    canned.action(Action::Trace, {canned.layout.string("before", 8)});
    canned.action(action);
    if (!text.empty()) canned.plan.actions.back().format = add_format(text);
    canned.action(Action::Trace, {canned.layout.string("after", 8)});
    return canned;
  }
};

TEST_F(OutputActionTest, FreopenRedirectsTheRestOfTheRow) {
  set(OptionId::Quiet);
  EXPECT_EQ(print(around(Action::Freopen, "/f%%")), "after");
  EXPECT_EQ(out.file("/f%"), "");
  consumer().finish(true);
  out.restore();
  EXPECT_EQ(output(), "before");
}

TEST_F(OutputActionTest, FailedFreopenIsReported) {
  set(OptionId::Quiet);
  EXPECT_EQ(print(around(Action::Freopen, "/nonexistent")), "beforeafter");
  std::string report = messages.take();
  EXPECT_NE(report.find("couldn't freopen() \"/nonexistent\": No such file or directory\n"), std::string::npos)
      << report;
}

TEST_F(OutputActionTest, FtruncateDiscardsTheStartOfTheRow) {
  EXPECT_EQ(print(around(Action::Ftruncate)), "  after                            \n");
}

TEST_F(OutputActionTest, SystemRunsAfterThePrecedingOutput) {
  set(OptionId::Quiet);
  EXPECT_EQ(print(around(Action::System, ":")), "beforeafter");
}

TEST_F(OutputActionTest, CatPrintsTheFile) {
  set(OptionId::Quiet);
  EXPECT_EQ(print(around(Action::Cat, "/proc/self/comm")), "beforeoutput_tests\nafter");
}

TEST_F(OutputActionTest, CatReportsAnUnreadableFile) {
  set(OptionId::Quiet);
  EXPECT_EQ(print(around(Action::Cat, "/nonexistent")), "beforeafter");
  EXPECT_NE(messages.take().find("couldn't cat() \"/nonexistent\": No such file or directory\n"), std::string::npos);
  EXPECT_EQ(print(around(Action::Cat, "/dev/null")), "beforeafter");
  EXPECT_NE(messages.take().find("couldn't cat() \"/dev/null\": Invalid argument\n"), std::string::npos);
}

}  // namespace
}  // namespace dscope::test
