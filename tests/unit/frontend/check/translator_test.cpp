// Translators: the choice among several, the expansion of members, args[n] with a translated type.
#include "check_text.h"

namespace dscope {
namespace {

const std::string out_type = "typedef struct out { int x; string s; struct task_struct *task; } out_t; ";

// The member x of `xlate <out_t> (operand)`. Each translator gives x a different number.
uint64_t chosen(const std::string& translators, const std::string& operand) {
  CheckedText checked(out_type + translators + " BEGIN { v = (xlate <out_t> (" + operand + ")).x; }");
  EXPECT_EQ(checked.rendered(), "");
  return checked.failed() ? 0 : checked.value().constant.value_or(0);
}

TEST(Translators, ExactTypeWins) {
  EXPECT_EQ(chosen("translator out_t < int i > { x = 1; }; translator out_t < pid_t i > { x = 2; };", "pid"), 2U);
  EXPECT_EQ(chosen("translator out_t < pid_t i > { x = 2; }; translator out_t < int i > { x = 1; };", "(int)pid"), 1U);
}

TEST(Translators, ResolvedTypeComesSecond) {
  EXPECT_EQ(chosen("translator out_t < long i > { x = 1; }; translator out_t < int i > { x = 2; };", "pid"), 2U);
}

TEST(Translators, FirstCompatibleTypeComesThird) {
  EXPECT_EQ(chosen("translator out_t < long i > { x = 1; }; translator out_t < short i > { x = 2; };", "pid"), 1U);
  EXPECT_EQ(chosen("translator out_t < void *p > { x = 3; };", "curthread"), 3U);
}

TEST(Translators, ResultTypeMayBeATypedef) {
  CheckedText checked(out_type + "translator struct out < int i > { x = 7; }; BEGIN { v = (xlate <out_t> (1)).x; }");
  EXPECT_EQ(checked.rendered(), "");
  EXPECT_EQ(checked.value().constant, 7U);
}

TEST(Translators, MembersHaveTheTypeOfTheOutput) {
  CheckedText checked(out_type +
                      "translator out_t < struct task_struct *t > { x = t->start_time; s = t->comm; task = t; };"
                      "BEGIN { a = (xlate <out_t *> (curthread))->x; b = (xlate <out_t *> (curthread))->s; "
                      "c = (xlate <out_t *> (curthread))->task; }");
  ASSERT_EQ(checked.rendered(), "");
  EXPECT_EQ(checked.type_name(checked.value(0)), "int");
  EXPECT_EQ(checked.type_name(checked.value(1)), "string");
  EXPECT_EQ(checked.type_name(checked.value(2)), "struct task_struct *");
}

TEST(Translators, MembersInheritFactsOfTheOperand) {
  CheckedText checked(out_type +
                      "translator out_t < struct task_struct *t > { task = t->real_parent; };"
                      "struct task_struct *other;"
                      "BEGIN { a = (xlate <out_t *> (curthread))->task; b = (xlate <out_t *> (other))->task; }");
  ASSERT_EQ(checked.rendered(), "");
  EXPECT_EQ(checked.value(0).space, Space::Trusted);
  EXPECT_NE(checked.value(1).space, Space::Trusted);
}

TEST(Translators, OnlyMembersInUseAreExpanded) {
  CheckedText checked(out_type +
                      "translator out_t < int i > { x = i; s = \"a\"; }; BEGIN { v = (xlate <out_t> (pid)).x; }");
  ASSERT_EQ(checked.rendered(), "");
  ASSERT_EQ(checked.meaning().expansions.size(), 1U);
  EXPECT_EQ(checked.value().stands_for, &checked.meaning().expansions.front());
}

TEST(Translators, WholeObjectsHaveAllMembers) {
  CheckedText checked(out_type +
                      "translator out_t < int i > { x = i; s = \"a\"; }; BEGIN { v = xlate <out_t> (pid); }");
  ASSERT_EQ(checked.rendered(), "");
  EXPECT_EQ(checked.type_name(checked.value()), "out_t");
  ASSERT_NE(checked.value().translated, nullptr);
  EXPECT_EQ(checked.value().translated->members.size(), 2U);
}

TEST(Translators, LibrariesAreTypedWhenUsed) {
  std::string library = out_type + "translator out_t < int i > { x = i; s = no_such_name; };";
  CheckedText unused(
      {{.text = library, .kind = UnitKind::Library}, {.text = "BEGIN { v = (xlate <out_t> (pid)).x; }"}});
  EXPECT_EQ(unused.rendered(), "");
  CheckedText used({{.text = library, .kind = UnitKind::Library}, {.text = "BEGIN { v = (xlate <out_t> (pid)).s; }"}});
  EXPECT_EQ(used.tag(), "D_IDENT_UNDEF");
}

TEST(Translators, AreVisibleInLaterUnits) {
  CheckedText two({{.text = out_type + "translator out_t < int i > { x = i; };"},
                   {.text = "BEGIN { v = (xlate <out_t> (pid)).x; }"}});
  EXPECT_EQ(two.rendered(), "");
}

}  // namespace
}  // namespace dscope
