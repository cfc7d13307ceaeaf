// Diagnostics: only the first error is kept. Both renderings of it.
#include "support/diagnostic.h"

#include <gtest/gtest.h>

namespace dscope {
namespace {

class DiagnosticTest : public testing::Test {
 protected:
  std::string text(bool show_tags = false) { return render(diagnostics, "dtrace", show_tags); }
  std::string full(const std::vector<std::string>& hints = {}, const Terminal& terminal = {}) {
    return render_full(diagnostics, "dtrace", false, hints, terminal);
  }
  SourceSet sources;
  Diagnostics diagnostics{sources};
};

TEST_F(DiagnosticTest, KeepsTheFirstError) {
  sources.add(UnitKind::Script, "x.d", "BEGIN { a; }\n");
  EXPECT_FALSE(diagnostics.has_errors());
  diagnostics.error(Tag::D_SYNTAX, {.range = {8, 9}}, "syntax error near \"{}\"", "a");
  diagnostics.error(Tag::D_EMPTY, {.range = {0, 1}}, "later");
  ASSERT_TRUE(diagnostics.has_errors());
  EXPECT_EQ(diagnostics.first().tag, Tag::D_SYNTAX);
  EXPECT_EQ(diagnostics.first().message, "syntax error near \"a\"");
  diagnostics.clear();
  EXPECT_FALSE(diagnostics.has_errors());
}

TEST_F(DiagnosticTest, ScriptsShowTheLine) {
  sources.add(UnitKind::Script, "x.d", "BEGIN\n{\n  a;\n}\n");
  diagnostics.error(Tag::D_SYNTAX, {.range = {10, 11}}, "message");
  EXPECT_EQ(text(), "dtrace: failed to compile script x.d: line 3: message\n");
  EXPECT_EQ(text(true), "dtrace: failed to compile script x.d: [D_SYNTAX] line 3: message\n");
}

TEST_F(DiagnosticTest, ReferenceLineOverridesTheRange) {
  sources.add(UnitKind::Script, "x.d", "BEGIN\n{\n  a;\n}\n");
  diagnostics.error(Tag::D_SYNTAX, {.range = {10, 11}, .line = 7}, "message");
  EXPECT_EQ(text(), "dtrace: failed to compile script x.d: line 7: message\n");
}

TEST_F(DiagnosticTest, StringsNameThePhase) {
  sources.add(UnitKind::String, "BEGIN { a; }", "BEGIN { a; }");
  diagnostics.set_phase(DiagnosticPhase::ActionList);
  diagnostics.error(Tag::D_IDENT_UNDEF, {.range = {8, 9}}, "message");
  EXPECT_EQ(text(), "dtrace: invalid probe specifier BEGIN { a; }: in action list: message\n");
}

TEST_F(DiagnosticTest, LineDirectivesAndLibrariesNameTheFile) {
  sources.add(UnitKind::Script, "x.d", "BEGIN\n");
  uint32_t file = diagnostics.intern_file("header.h");
  EXPECT_EQ(diagnostics.intern_file("header.h"), file);
  diagnostics.error(Tag::D_SYNTAX, {.range = {0, 1}, .line = 12, .file = file}, "message");
  EXPECT_EQ(text(), "dtrace: failed to compile script x.d: \"header.h\", line 12: message\n");
}

TEST_F(DiagnosticTest, FullTextAddsSourceHintsAndTag) {
  sources.add(UnitKind::Script, "x.d", "BEGIN {\n\ttrace(execnam);\n}\n");
  diagnostics.error(Tag::D_IDENT_UNDEF, {.range = {15, 22}}, "message");
  EXPECT_EQ(full({"did you mean `execname`?", "another"}),
            "dtrace: failed to compile script x.d: line 2: message\n"
            "    2 |         trace(execnam);\n"
            "      |               ^~~~~~~\n"
            "      = hint: did you mean `execname`?\n"
            "      = hint: another\n"
            "      = [D_IDENT_UNDEF]\n");
}

TEST_F(DiagnosticTest, FullTextShowsOnlyTheStartOfAProgram) {
  std::string program = "BEGIN { " + std::string(100, 'a') + "; }";
  sources.add(UnitKind::String, program, program);
  diagnostics.error(Tag::D_SYNTAX, {.range = {8, 9}}, "message");
  std::string shown = full();
  EXPECT_TRUE(shown.starts_with("dtrace: invalid probe specifier BEGIN { " + std::string(52, 'a') + "...: message\n"))
      << shown;
}

TEST_F(DiagnosticTest, FullTextOfManyLinesShowsTheFirst) {
  sources.add(UnitKind::String, "BEGIN {\n x; }", "BEGIN {\n x; }");
  diagnostics.error(Tag::D_SYNTAX, {.range = {9, 10}}, "message");
  EXPECT_TRUE(full().starts_with("dtrace: invalid probe specifier BEGIN {...: message\n    2 |  x; }\n")) << full();
}

TEST_F(DiagnosticTest, ProgramTextCannotControlTheTerminal) {
  sources.add(UnitKind::String, "\033[31mx", "\033[31mx");
  diagnostics.error(Tag::D_SYNTAX, {.range = {0, 1}}, "near \"{}\"", "\033]0;title\007");
  EXPECT_EQ(full().find('\033'), std::string::npos);
  EXPECT_EQ(full().find('\007'), std::string::npos);
  EXPECT_NE(full({}, {.has_colors = true}).find('\033'), std::string::npos);
}

}  // namespace
}  // namespace dscope
