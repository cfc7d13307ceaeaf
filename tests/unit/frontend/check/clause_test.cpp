// Clauses: instances, recording, statement-level ?: and if, units (d-language.md 5.2, 7.4; consumer-and-actions.md 1).
#include "check_text.h"

namespace dscope {
namespace {

bool records(const std::string& body) {
  CheckedText checked("BEGIN { " + body + " }");
  EXPECT_FALSE(checked.failed()) << body << ": " << checked.rendered();
  return !checked.failed() && checked.instance().has_record;
}

TEST(Clauses, RecordIfAnActionRecords) {
  EXPECT_TRUE(records(""));
  EXPECT_FALSE(records("n = 1; n++;"));
  EXPECT_FALSE(records("@a = count();"));
  EXPECT_TRUE(records("exit(0);"));
  EXPECT_TRUE(records("@a = count(); clear(@a);"));
  EXPECT_TRUE(records("stack();"));
  EXPECT_TRUE(records("if (pid) { trace(1); }"));
}

TEST(Clauses, IgnoreDeadBranches) {
  EXPECT_FALSE(records("if (0) { trace(1); }"));
  EXPECT_TRUE(records("if (0) { n = 1; } else { trace(1); }"));
  EXPECT_FALSE(records("0 ? trace(1) : 1;"));
  EXPECT_TRUE(records("1 ? trace(1) : 1;"));
}

TEST(Clauses, StatementTernaryChecksTheBranchTaken) {
  EXPECT_EQ(tag_of("inline int OPT = 0; BEGIN { OPT ? printf(\"%d\", nosuch) : 1; }"), "none");
  EXPECT_EQ(tag_of("inline int OPT = 1; BEGIN { OPT ? printf(\"%d\", nosuch) : 1; }"), "D_IDENT_UNDEF");
  EXPECT_EQ(tag_of("BEGIN { pid ? printf(\"a\") : printf(\"b\"); }"), "none");
  EXPECT_EQ(tag_of("BEGIN { pid ? printf(\"%d\") : 1; }"), "D_PRINTF_ARG_PROTO");
  EXPECT_EQ(tag_of("BEGIN { pid ? printf(\"a\") : tid ? trace(1) : 1; }"), "none");
}

TEST(Clauses, OneInstancePerDescription) {
  CheckedText checked("syscall::read:entry, syscall::write:*, BEGIN { n++; } END { n--; }");
  ASSERT_FALSE(checked.failed()) << checked.rendered();
  ASSERT_EQ(checked.meaning().clauses.size(), 4U);
  EXPECT_EQ(checked.instance(1).description, "syscall::write:*");
  EXPECT_EQ(checked.instance(1).probes.size(), 2U);
  EXPECT_EQ(checked.instance(1).specifier, 1U);
  EXPECT_EQ(checked.instance(3).number, 3U);
}

TEST(Clauses, MatchNumericIds) {
  CheckedText checked("1 { exit(0); }");
  ASSERT_FALSE(checked.failed()) << checked.rendered();
  EXPECT_EQ(checked.instance().description, "dtrace:::BEGIN");
}

TEST(Clauses, UnitsAreCounted) {
  CheckedText checked({{.text = "inline int LIB = 3;", .kind = UnitKind::Library, .name = "lib.d"},
                       {.text = "BEGIN { trace(LIB); }", .name = "dir/x.d"},
                       {.text = "syscall::write: / pid == 1 / { n++; }",
                        .kind = UnitKind::String,
                        .name = "syscall::write: / pid == 1 / { n++; }"}});
  ASSERT_FALSE(checked.failed()) << checked.rendered();
  ASSERT_EQ(checked.meaning().units.size(), 2U);
  EXPECT_TRUE(checked.meaning().units[0].is_script);
  EXPECT_EQ(checked.meaning().units[0].name, "dir/x.d");
  EXPECT_EQ(checked.meaning().units[0].matched, 1U);
  EXPECT_EQ(checked.meaning().units[1].name, "syscall::write: ");
  EXPECT_EQ(checked.meaning().units[1].matched, 2U);
}

TEST(Clauses, WithoutProbesDoNotCheckArgs) {
  CheckedText checked({{.text = "nosuch:::start { x = args[0]->foo + 1; self->y = args[1]; @a[args[2]] = count(); "
                                "printf(\"%d %s\", args[0], args[1]); } BEGIN { x = 3; }"}},
                      {"zdefs"});
  ASSERT_FALSE(checked.failed()) << checked.rendered();
  EXPECT_TRUE(checked.instance(0).probes.empty());
  EXPECT_EQ(checked.types().spell(checked.variable("x").type), "int");
  EXPECT_EQ(checked.types().spell(checked.variable("y", VariableScope::Self).type), "long");
}

TEST(Clauses, CallsAreBound) {
  CheckedText checked("BEGIN { trace(strlen(execname)); @a[stack(3)] = quantize(pid); }");
  ASSERT_FALSE(checked.failed()) << checked.rendered();
  const Expr& action = checked.statement(0);
  EXPECT_EQ(std::get<Action>(checked.info(action).binding), Action::Trace);
  const Expr& inner = *std::get<Call>(action.form).arguments[0];
  EXPECT_EQ(std::get<Subroutine>(checked.info(inner).binding), Subroutine::Strlen);
  const auto& assign = std::get<Assign>(checked.statement(1).form);
  EXPECT_EQ(std::get<AggregationFunction>(checked.info(*assign.rhs).binding), AggregationFunction::Quantize);
}

// As clauses whose descriptions match no probe (-Z).
TEST(Clauses, WithoutDescriptionsDefineAggregationsAndVariables) {
  CheckedText checked(
      "#pragma D arg --function NAME\n"
      "pid$target:a.out:$function:entry /args[0]/ { @calls[probefunc] = count(); last = arg0; }\n"
      "END { printa(@calls); trace(last); }");
  ASSERT_FALSE(checked.failed()) << checked.rendered();
  ASSERT_EQ(checked.meaning().clauses.size(), 2U);
  EXPECT_TRUE(checked.instance().probes.empty());
  EXPECT_EQ(checked.instance().bound_to().provider, "");
}

// The phase that detects an error determines the text of messages for -n strings.
TEST(Clauses, MessagesNameTheirPhase) {
  EXPECT_EQ(CheckedText("BEGIN { trace(nosuch); }").error().phase, DiagnosticPhase::ActionList);
  EXPECT_EQ(CheckedText("BEGIN /nosuch/ { trace(1); }").error().phase, DiagnosticPhase::Predicate);
  EXPECT_EQ(CheckedText("BEGIN { nosuch(1); }").error().phase, DiagnosticPhase::Parse);
  EXPECT_EQ(CheckedText("BEGIN { trace(1 / 0); }").error().phase, DiagnosticPhase::Parse);
  EXPECT_EQ(CheckedText("BEGIN { trace((void)0); }").error().phase, DiagnosticPhase::ActionList);
}

// Errors in names and types are reported before errors in the use of actions.
TEST(Clauses, TypeErrorsComeFirst) {
  EXPECT_EQ(tag_of("BEGIN { printf(\"%d\"); trace(nosuch); }"), "D_IDENT_UNDEF");
  EXPECT_EQ(tag_of("BEGIN /nosuch/ { printf(\"%d\"); }"), "D_IDENT_UNDEF");
  EXPECT_EQ(tag_of("BEGIN { trace(ipl); trace((void)1); }"), "D_TRACE_VOID");
}

}  // namespace
}  // namespace dscope
