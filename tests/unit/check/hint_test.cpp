// Hints: what a misspelt name may have meant.
#include "check_text.h"

namespace dscope {
namespace {

std::string hint_of(const std::string& text) {
  CheckedText checked(text);
  return checked.failed() ? checked.error().hint : "no error";
}

TEST(Hints, Names) {
  EXPECT_EQ(hint_of("BEGIN { trace(execnam); }"), "did you mean `execname`?");
  EXPECT_EQ(hint_of("BEGIN { counter_of = 1; trace(conter_of); }"), "did you mean `counter_of`?");
  EXPECT_EQ(hint_of("BEGIN { self->start = 1; trace(self->strat); }"), "did you mean `start`?");
  EXPECT_EQ(hint_of("BEGIN { strlne(\"a\"); }"), "did you mean `strlen`?");
  EXPECT_EQ(hint_of("BEGIN { trace(curthread->tgidd); }"), "did you mean `tgid`?");
  EXPECT_EQ(hint_of("BEGIN { @latency = count(); printa(@latencies); }"), "did you mean `latency`?");
  EXPECT_EQ(hint_of("BEGIN { trace(completely_else); }"), "");
}

TEST(Hints, MissingProbes) {
  EXPECT_EQ(hint_of("sycall::read:entry { exit(0); }"),
            "there is no provider `sycall`; known: dtrace fbt proc profile rawtp sched sdt syscall");
}

TEST(Hints, PlacesAreNarrow) {
  CheckedText checked("BEGIN { trace(strlen(execnam)); }");
  std::string text = "BEGIN { trace(strlen(execnam)); }";
  EXPECT_EQ(checked.error().at.range.begin, text.find("execnam"));
  EXPECT_EQ(checked.error().at.range.end, text.find("execnam") + 7);
}

}  // namespace
}  // namespace dscope
