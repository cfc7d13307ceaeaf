// Completion, hover, definitions, signatures, problems and quick fixes on the machine of fake_host.txt.
#include <gtest/gtest.h>

#include <algorithm>

#include "driver/language/language_service.h"
#include "tests/support/fake_host.h"

namespace dscope {
namespace {

LanguageService& service() {
  static LanguageService shared({}, [] { return std::make_unique<FakeHost>(); });
  return shared;
}

struct Marked {
  std::string text;
  uint32_t offset = 0;
};

Marked marked(std::string text) {
  size_t at = text.find('|');
  text.erase(at, 1);
  return {std::move(text), static_cast<uint32_t>(at)};
}

std::vector<std::string> labels(std::string text) {
  Marked at = marked(std::move(text));
  std::vector<std::string> result;
  for (const Suggestion& item : service().complete("/t.d", at.text, at.offset).items) result.push_back(item.label);
  return result;
}

bool has(const std::vector<std::string>& names, std::string_view name) { return std::ranges::count(names, name) == 1; }

TEST(Completion, OffersProbes) {
  EXPECT_TRUE(has(labels("sys|"), "syscall"));
  EXPECT_TRUE(has(labels("BE|"), "BEGIN"));
  EXPECT_EQ(labels("syscall::op|"), (std::vector<std::string>{"open", "openat"}));
  EXPECT_EQ(labels("syscall::open:|"), (std::vector<std::string>{"entry", "return"}));
}

TEST(Completion, OffersNames) {
  EXPECT_TRUE(has(labels("BEGIN { ex|"), "execname"));
  EXPECT_TRUE(has(labels("BEGIN { copyin|"), "copyinstr"));
  EXPECT_TRUE(has(labels("BEGIN { @ = qu|"), "quantize"));
  EXPECT_TRUE(has(labels("inline int my_limit = 3; BEGIN { my|"), "my_limit"));
  EXPECT_TRUE(has(labels("BEGIN { EN|"), "ENOENT"));
  EXPECT_EQ(labels("BEGIN { self->first = 1; self->second = 2; x = self->s|"), (std::vector<std::string>{"second"}));
  EXPECT_EQ(labels("BEGIN { @total = count(); } END { clear(@t|"), (std::vector<std::string>{"total"}));
  EXPECT_TRUE(labels("BEGIN { \"ex|").empty());
}

TEST(Completion, OffersMembers) {
  EXPECT_TRUE(has(labels("BEGIN { x = curthread->p|"), "pid"));
  EXPECT_TRUE(has(labels("BEGIN /curthread->p|/ { }"), "pid"));
  EXPECT_TRUE(has(labels("proc:::exec-success { x = curpsinfo->pr_|"), "pr_fname"));
  EXPECT_TRUE(has(labels("sched:::off-cpu { @[args[0]->pr_|] = count(); }"), "pr_pri"));
  EXPECT_TRUE(labels("BEGIN { x = nothing->|").empty());
}

TEST(Completion, OffersOptionsAndTypes) {
  EXPECT_EQ(labels("#pragma D option bufpo|"), (std::vector<std::string>{"bufpolicy"}));
  EXPECT_EQ(labels("#pragma D option bufpolicy=|"), (std::vector<std::string>{"fill", "ring", "switch"}));
  EXPECT_TRUE(has(labels("inline psinfo|"), "psinfo_t"));
  EXPECT_TRUE(has(labels("BEGIN { x = $t|"), "target"));
}

std::string hover_of(std::string text) {
  Marked at = marked(std::move(text));
  auto hover = service().hover("/t.d", at.text, at.offset);
  return hover ? hover->markdown : "";
}

TEST(Hover, ExplainsNames) {
  EXPECT_NE(hover_of("BEGIN { x = exec|name; }").find("Name of the running program"), std::string::npos);
  EXPECT_NE(hover_of("BEGIN { @ = qua|ntize(1); }").find("aggregating function"), std::string::npos);
  EXPECT_NE(hover_of("#pragma D option stac|kframes=3\n").find("default number of frames"), std::string::npos);
  EXPECT_NE(hover_of("/* Most. */\ninline int most = 3;\nBEGIN { x = mo|st; }").find("Most."), std::string::npos);
  EXPECT_NE(hover_of("BEGIN { self->t = \"a\"; x = self->|t; }").find("string self->t"), std::string::npos);
  EXPECT_NE(hover_of("BEGIN { x = curthread->pi|d; }").find("pid"), std::string::npos);
}

TEST(Hover, CountsProbes) {
  EXPECT_NE(hover_of("syscall::op|en*:entry { }").find("2 probes match"), std::string::npos);
  EXPECT_NE(hover_of("syscall::no|ne:entry { }").find("0 probes match"), std::string::npos);
}

TEST(Definitions, GoToTheDocumentAndToLibraries) {
  Marked own = marked("inline int most = 3;\nBEGIN { x = mo|st; }");
  auto targets = service().find_definition("/t.d", own.text, own.offset);
  ASSERT_EQ(targets.size(), 1u);
  EXPECT_EQ(targets[0].path, "/t.d");
  EXPECT_EQ(targets[0].range.begin, 11u);
  Marked library = marked("BEGIN { x = curps|info->pr_fname; }");
  targets = service().find_definition("/t.d", library.text, library.offset);
  ASSERT_FALSE(targets.empty());
  EXPECT_TRUE(targets[0].path.ends_with("current.d"));
}

TEST(Signatures, FollowTheArguments) {
  Marked at = marked("BEGIN { x = substr(\"a\", |1); }");
  auto signature = service().signature(at.text, at.offset);
  ASSERT_TRUE(signature);
  EXPECT_EQ(signature->active_parameter, 1u);
  EXPECT_GE(signature->parameters.size(), 2u);
  EXPECT_NE(signature->label.find("substr("), std::string::npos);
}

// The text after the first fix for the first problem.
std::string fixed(const std::string& text) {
  std::vector<Problem> problems = service().check("/t.d", text);
  if (problems.empty()) return "no problem";
  std::vector<QuickFix> fixes = service().quick_fixes("/t.d", text, problems[0]);
  if (fixes.empty())
    return "no fix: " + problems[0].message + (problems[0].hints.empty() ? "" : "; " + problems[0].hints[0]);
  std::string changed = text;
  for (const Edit& edit : fixes[0].edits)
    changed.replace(edit.range.begin, edit.range.end - edit.range.begin, edit.text);
  return changed;
}

TEST(Problems, AreThoseOfTheCompiler) {
  EXPECT_TRUE(service().check("/t.d", "syscall::open:entry { @[execname] = count(); }\n").empty());
  auto problems = service().check("/t.d", "BEGIN { x = execnam; }");
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].tag, "D_IDENT_UNDEF");
  EXPECT_EQ(problems[0].range.begin, 12u);
  // A probe that this machine lacks is a warning, and the rest is checked.
  problems = service().check("/t.d", "syscall::opne:entry { } BEGIN { x = execnam; }");
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_EQ(problems[0].severity, ProblemSeverity::Warning);
  EXPECT_TRUE(service().check("/t.d", "pid$target:a.out:main:entry /$1 == 2/ { trace($$2); }").empty());
  EXPECT_TRUE(service().check("/t.d", "").empty());
}

TEST(QuickFixes, ApplyTheHints) {
  EXPECT_EQ(fixed("BEGIN { x = execnam; }"), "BEGIN { x = execname; }");
  EXPECT_EQ(fixed("BEGIN { x = curthread.pid; }"), "BEGIN { x = curthread->pid; }");
  EXPECT_EQ(fixed("BEGIN { @a++; }"), "BEGIN { @a = count(); }");
  EXPECT_EQ(fixed("BEGIN { printf('a'); }"), "BEGIN { printf(\"a\"); }");
  EXPECT_EQ(fixed("BEGIN { x = comm; }"), "BEGIN { x = execname; }");
  EXPECT_EQ(fixed("kprobe:vfs_read { }"), "fbt::vfs_read:entry { }");
}

TEST(Problems, ScriptsGetTheOptionsOfTheirFirstLine) {
  EXPECT_TRUE(service().check("/t.d", "#!/usr/sbin/dscope -Zs\nnone::none:none { }\n").empty());
  EXPECT_FALSE(service().check("/t.d", "#!/usr/sbin/dscope -s\nnone::none:none { }\n").empty());
}

}  // namespace
}  // namespace dscope
