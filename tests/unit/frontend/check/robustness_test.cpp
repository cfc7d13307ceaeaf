// Size and depth: no program that parses may crash the checker or take unbounded time.
#include <chrono>
#include <ctime>

#include "check_text.h"

namespace dscope {
namespace {

std::string repeat(std::string_view text, size_t count) {
  std::string result;
  for (size_t i = 0; i < count; ++i) result += text;
  return result;
}

TEST(Robustness, DeepTreesAreChecked) {
  EXPECT_EQ(tag_of("BEGIN { trace(" + repeat("(", 300) + "1" + repeat(")", 300) + "); }"), "none");
  EXPECT_EQ(tag_of("BEGIN { trace(" + repeat("- ", 900) + "1); }"), "none");
  EXPECT_EQ(tag_of("BEGIN { trace(pid" + repeat(" + 1", 900) + "); }"), "none");
  EXPECT_EQ(tag_of("BEGIN { trace(" + repeat("pid ? 1 : ", 400) + "1); }"), "none");
  EXPECT_EQ(tag_of("BEGIN { trace(curthread" + repeat("->parent", 900) + "->pid); }"), "none");
  EXPECT_EQ(tag_of("BEGIN { " + repeat("if (pid) { ", 400) + repeat("}", 400) + " }"), "none");
  EXPECT_EQ(tag_of("int " + repeat("*", 400) + "p; BEGIN { trace(" + repeat("*", 400) + "p); }"), "none");
}

// A hand-made tree: the parser itself would reject this depth.
TEST(Robustness, TreesBeyondTheLimitAreRejected) {
  SourceSet sources;
  UnitId unit = sources.add(UnitKind::Script, "test.d", "BEGIN {}");
  Program program;
  auto make = [&](decltype(Expr::form) form) {
    program.exprs.push_back({.id = {program.node_count++}, .form = std::move(form)});
    return &program.exprs.back();
  };
  Expr* expr = make(IntLiteral{.value = 1});
  for (int i = 0; i < 100000; ++i) expr = make(Unary{.op = UnaryOp::Minus, .operand = expr});
  program.statements.push_back({.form = ExprStatement{expr}});
  Clause clause{.probes = {{.name = "BEGIN"}}, .body = {&program.statements.back()}, .end_node = {program.node_count}};
  program.units.push_back({.source = unit, .externals = {{.form = std::move(clause)}}});
  Diagnostics diagnostics{sources};
  FakeHost host;
  check(program, host, OptionValues{}, diagnostics);
  EXPECT_TRUE(diagnostics.has_errors());
  EXPECT_EQ(diagnostics.first().tag, Tag::D_SYNTAX);
}

TEST(Robustness, TenThousandClausesAreChecked) {
  std::string text;
  for (int i = 0; i < 10000; ++i)
    text += fmt::format(
        "BEGIN /pid == {0}/ {{ x{0} = pid + 1; @a[execname, x{0}] = count(); printf(\"%d %s\", x{0}, execname); }}\n",
        i);
  CheckedText checked(std::move(text));
  EXPECT_EQ(checked.rendered(), "");
  EXPECT_EQ(checked.meaning().clauses.size(), 10000U);
}

TEST(Robustness, ChainsOfTypedefsHaveALimit) {
  auto chain = [](int length) {
    std::string text = "typedef int t0;\n";
    for (int i = 1; i < length; ++i) text += fmt::format("typedef t{} t{};\n", i - 1, i);
    return text + "BEGIN { trace((t1)1); }";
  };
  EXPECT_EQ(message_of(chain(1000)), "");
  EXPECT_EQ(message_of(chain(100000)), "typedef t1000 is nested too deeply: it names typedefs of 1000 levels");
}

TEST(Robustness, HugeEnumerationsAndStructsAreCheckedInTime) {
  std::clock_t start = std::clock();
  std::string enumerators, members;
  for (int i = 0; i < 100000; ++i) {
    enumerators += fmt::format("E{},", i);
    members += fmt::format("int m{};", i);
  }
  CheckedText checked("enum e { " + enumerators + " E };\nstruct s { " + members +
                      " };\nBEGIN { x = sizeof(struct s); }");
  ASSERT_FALSE(checked.failed()) << checked.rendered();
  EXPECT_EQ(checked.value().constant, 400000U);
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 10);
}

TEST(Robustness, StrsizeSetsTheSizeOfStrings) {
  CheckedText checked("#pragma D option strsize=8\nBEGIN { x = sizeof(string); }");
  ASSERT_FALSE(checked.failed()) << checked.rendered();
  EXPECT_EQ(checked.value().constant, 8U);
  EXPECT_EQ(checked.types().strsize(), 8U);
}

}  // namespace
}  // namespace dscope
