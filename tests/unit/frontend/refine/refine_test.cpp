#include "frontend/refine/refine.h"

#include <gtest/gtest.h>

#include "../syntax/parse_text.h"
#include "frontend/syntax/ast_print.h"

namespace dscope {
namespace {

std::string refined(std::string program, const Refinement& refinement) {
  ParsedText parsed{std::move(program)};
  std::vector<ProgramUnit*> units{&parsed.program().units.front()};
  auto done = refine(parsed.program(), units, refinement);
  return done ? print_unit(*units.front()) : "error: " + done.error().message();
}

KeyCondition text(std::string value) { return {.text = std::move(value), .number = {}}; }
KeyCondition number(std::string value) { return {.text = {}, .number = std::move(value)}; }

TEST(Refine, AddsAPredicateAndTheNextKey) {
  EXPECT_EQ(refined("syscall:::entry { @[execname] = count(); }", {"_", {text("c\"at")}}),
            "syscall:::entry\n/execname == \"c\\\"at\"/\n{\n  @_[probefunc] = count();\n}\n");
}

TEST(Refine, GoesFromFunctionToStackToFile) {
  std::string program = "syscall:::entry { @calls[execname, probefunc] = count(); }";
  program = refined(program, {"calls", {text("cat"), text("read")}});
  EXPECT_NE(program.find("@calls[stack()]"), std::string::npos) << program;
  program = refined(program, {"calls", {{}}});
  EXPECT_NE(program.find("@calls[ustack()]"), std::string::npos) << program;
  program = refined(program, {"calls", {{}}});
  EXPECT_NE(program.find("@calls[fds[arg0].fi_pathname]"), std::string::npos) << program;
  EXPECT_NE(program.find("execname == \"cat\" && probefunc == \"read\""), std::string::npos) << program;
  EXPECT_EQ(refined(program, {"calls", {text("/etc/passwd")}}),
            "error: @calls has been looked at by program, function, stack and file");
}

TEST(Refine, SkipsKeysThatARecordingLacks) {
  KeySources strings_only{.has_stacks = false, .has_descriptors = false};
  EXPECT_NE(refined("syscall::openat:entry { @[execname] = count(); }", {"_", {text("cat")}, strings_only})
                .find("@_[copyinstr(arg1)]"),
            std::string::npos);
  EXPECT_EQ(refined("syscall::read:entry { @[execname] = count(); }", {"_", {text("cat")}, strings_only}),
            "error: the recording has no further key for @_");
  EXPECT_NE(refined("syscall::read:entry { @[execname] = count(); }", {"_", {text("cat")}, {true, false}})
                .find("@_[stack()]"),
            std::string::npos);
}

TEST(Refine, KeepsOtherStatementsUnconditional) {
  EXPECT_EQ(refined("syscall::read:return /self->t/ { @[pid] = sum(timestamp - self->t); self->t = 0; }",
                    {"_", {number("12")}}),
            "syscall::read:return\n/self->t/\n{\n  if (pid == 12) {\n    @_[stack()] = sum(timestamp - self->t);\n  }\n"
            "  self->t = 0;\n}\n");
}

TEST(Refine, JoinsPredicatesWithParentheses) {
  std::string program = refined("io:::start /arg0 || arg1/ { @[execname] = count(); }", {"_", {text("dd")}});
  EXPECT_NE(program.find("/(arg0 || arg1) && execname == \"dd\"/"), std::string::npos) << program;
}

TEST(Refine, PrintsProbesAsTheyWereWritten) {
  EXPECT_EQ(refined("profile-99, syscall:::entry { @[pid] = count(); }", {"_", {number("1")}}),
            "profile-99,\nsyscall:::entry\n/pid == 1/\n{\n  @_[probefunc] = count();\n}\n");
}

TEST(Refine, DropsThePrintaWithTheOldKeys) {
  std::string program =
      refined("profile-99 { @[pid] = count(); } END { printa(\"%d %@d\\n\", @); }", {"_", {number("1")}});
  EXPECT_EQ(program.find("printa"), std::string::npos) << program;
  EXPECT_EQ(program.find("END"), std::string::npos) << program;
}

TEST(Refine, RejectsUnknownAggregations) {
  EXPECT_EQ(refined("BEGIN { @a = count(); }", {"b", {}}), "error: the program has no aggregation @b");
}

}  // namespace
}  // namespace dscope
