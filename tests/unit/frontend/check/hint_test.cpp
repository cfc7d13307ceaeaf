// Hints: suggestions for misspelled names.
#include "check_text.h"

namespace dscope {
namespace {

std::string hint_of(const std::string& text) {
  CheckedText checked(text);
  return checked.failed() ? checked.error().hint : "no error";
}

TEST(Hints, SuggestSimilarNames) {
  EXPECT_EQ(hint_of("BEGIN { trace(execnam); }"), "did you mean `execname`?");
  EXPECT_EQ(hint_of("BEGIN { counter_of = 1; trace(conter_of); }"), "did you mean `counter_of`?");
  EXPECT_EQ(hint_of("BEGIN { self->start = 1; trace(self->strat); }"), "did you mean `start`?");
  EXPECT_EQ(hint_of("BEGIN { strlne(\"a\"); }"), "did you mean `strlen`?");
  EXPECT_EQ(hint_of("BEGIN { trace(curthread->tgidd); }"), "did you mean `tgid`?");
  EXPECT_EQ(hint_of("BEGIN { @latency = count(); printa(@latencies); }"), "did you mean `latency`?");
  EXPECT_EQ(hint_of("BEGIN { trace(completely_else); }"), "");
}

TEST(Hints, ExplainUnknownArguments) {
  EXPECT_EQ(CheckedText("rawtp:sched::sched_process_exec { trace(args->filename); }").message(),
            "no argument is called filename");
  EXPECT_EQ(hint_of("rawtp:sched::sched_process_exec { trace(args->filename); }"),
            "the arguments of `sdt:sched::sched_process_exec` have names");
  EXPECT_EQ(hint_of("rawtp:sched::sched_switch { trace(args->unknown); }"), "list the arguments with `-lv -n PROBE`");
  EXPECT_EQ(hint_of("sdt:sched::sched_switch { trace(args->nextpid); }"), "did you mean `args->next_pid`?");
  EXPECT_EQ(hint_of("BEGIN { trace(args->unknown); }"), "list the arguments with `-lv -n PROBE`");
}

std::string solaris_hint_of(const std::string& text) {
  constexpr std::string_view library =
      "typedef long __solaris_pri_t; inline int __solaris_freemem = 1; struct __solaris_thread { int t_procp; };";
  CheckedText checked(text);
  std::vector<std::string> hints = advice(checked.diagnostics(), library);
  return hints.empty() ? "" : hints.front().substr(0, hints.front().find(':'));
}

TEST(Hints, SuggestCompatForSolarisNames) {
  for (const char* text :
       {"BEGIN { trace((pri_t)timestamp); }", "self pri_t start;", "BEGIN { trace((pri_t *)arg0); }"})
    EXPECT_EQ(solaris_hint_of(text), "`pri_t` is a Solaris name") << text;
  EXPECT_EQ(solaris_hint_of("BEGIN { trace(`freemem); }"), "`freemem` is a Solaris name");
  EXPECT_EQ(solaris_hint_of("BEGIN { trace(freemem); }"), "`freemem` is a Solaris name");
  EXPECT_EQ(solaris_hint_of("BEGIN { trace(curthread->t_procp); }"), "`t_procp` is a Solaris name");
  EXPECT_EQ(solaris_hint_of("BEGIN { trace(curthread->thread); }").find("Solaris"), std::string::npos);
  EXPECT_EQ(solaris_hint_of("BEGIN { trace(execnam); }"), "did you mean `execname`?");
}

// The values of boolean_t, which is known without compat=solaris.
TEST(Hints, BooleanValuesNeedNoCompat) {
  EXPECT_EQ(hint_of("BEGIN { trace(B_TRUE == B_FALSE); }"), "no error");
  EXPECT_EQ(hint_of("BEGIN { B_TRUE = \"free\"; trace(strlen(B_TRUE)); }"), "no error");
}

TEST(Hints, ExplainMissingProbes) {
  EXPECT_EQ(hint_of("sycall::read:entry { exit(0); }"),
            "there is no provider `sycall`; known: dtrace fbt proc profile rawtp sched sdt syscall");
}

TEST(Hints, ErrorRangesAreNarrow) {
  CheckedText checked("BEGIN { trace(strlen(execnam)); }");
  std::string text = "BEGIN { trace(strlen(execnam)); }";
  EXPECT_EQ(checked.error().at.range.begin, text.find("execnam"));
  EXPECT_EQ(checked.error().at.range.end, text.find("execnam") + 7);
}

}  // namespace
}  // namespace dscope
