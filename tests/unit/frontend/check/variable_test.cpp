// User variables (d-language.md 5.3, 5.4): creation, declaration, writability.
#include "check_text.h"

namespace dscope {
namespace {

TEST(Variables, AssignmentCreates) {
  CheckedText checked(
      "BEGIN { g = 1; self->t = timestamp; this->c = execname; n++; a[1, \"x\"] = 2L; self->b[pid]++; }");
  ASSERT_FALSE(checked.failed()) << checked.rendered();
  EXPECT_EQ(checked.types().spell(checked.variable("g").type), "int");
  EXPECT_EQ(checked.types().spell(checked.variable("t", VariableScope::Self).type), "uint64_t");
  EXPECT_EQ(checked.types().spell(checked.variable("c", VariableScope::This).type), "string");
  EXPECT_EQ(checked.types().spell(checked.variable("n").type), "int64_t");
  const Variable& array = checked.variable("a");
  EXPECT_TRUE(array.is_associative);
  ASSERT_EQ(array.keys.size(), 2U);
  EXPECT_EQ(checked.types().spell(array.keys[1]), "string");
  EXPECT_EQ(checked.types().spell(array.type), "long");
  EXPECT_EQ(checked.types().spell(checked.variable("b", VariableScope::Self).type), "int64_t");
}

TEST(Variables, OneNameExistsInEveryScope) {
  EXPECT_EQ(tag_of("BEGIN { x = 1; self->x = \"a\"; this->x = curthread; @x = count(); }"), "none");
}

TEST(Variables, DeclarationsMayFollowTheirUse) {
  CheckedText checked("BEGIN { x = 300; } char x;");
  ASSERT_FALSE(checked.failed()) << checked.rendered();
  EXPECT_EQ(checked.types().spell(checked.variable("x").type), "char");
  EXPECT_TRUE(checked.variable("x").is_explicit);
}

TEST(Variables, MayBeRedeclaredIdentically) {
  EXPECT_EQ(tag_of("int x; int x; int a[int, string]; int a[int, string]; BEGIN { x = 1; }"), "none");
}

TEST(Variables, PredicateMayUseVariablesOfTheActions) {
  EXPECT_EQ(tag_of("BEGIN /x == 0/ { exit(x++); }"), "none");
  EXPECT_EQ(tag_of("BEGIN /x++ == 0/ { exit(x - 1); }"), "none");
  EXPECT_EQ(tag_of("BEGIN /x++ == 0 && y == 1/ { y = x; }"), "D_IDENT_UNDEF");
}

// The variables that the failed attempt created are removed: x gets its type from the predicate.
TEST(Variables, FailedAttemptLeavesNoVariables) {
  CheckedText checked("BEGIN /x = 1L/ { y = \"a\"; z = x; }");
  ASSERT_FALSE(checked.failed()) << checked.rendered();
  EXPECT_EQ(checked.meaning().variables.size(), 3U);
  EXPECT_EQ(checked.meaning().variables[0].name, "x");
}

TEST(Variables, ZeroRemovesElementsOfAnyType) {
  EXPECT_EQ(tag_of("struct s { int x; }; struct s a[int]; self struct s t; self string u;"
                   "BEGIN { a[1] = 0; self->t = 0; self->u = 0; }"),
            "none");
  EXPECT_EQ(tag_of("struct s { int x; } v; BEGIN { v = 0; }"), "D_OP_INCOMPAT");
  EXPECT_EQ(tag_of("string s; BEGIN { s = NULL; }"), "none");
}

TEST(Variables, InlinesMayAliasVariables) {
  CheckedText checked("int x; inline int y = x; BEGIN { y = 3; }");
  ASSERT_FALSE(checked.failed()) << checked.rendered();
  const auto& assign = std::get<Assign>(checked.statement().form);
  const Expr* target = checked.info(*assign.lhs).stands_for;
  ASSERT_NE(target, nullptr);
  EXPECT_TRUE(std::holds_alternative<VariableId>(checked.info(*target).binding));
  EXPECT_EQ(tag_of("int x; inline int y = x + 1; BEGIN { y = 3; }"), "D_OP_LVAL");
}

TEST(Variables, InlinesAcceptParameters) {
  CheckedText checked("inline long f[int a, long b] = a * b; BEGIN { x = f[2, pid]; }");
  ASSERT_FALSE(checked.failed()) << checked.rendered();
  EXPECT_EQ(checked.type_name(checked.value()), "long");
  EXPECT_TRUE(std::holds_alternative<InlineId>(checked.value().binding));
  const Expr* product = checked.value().stands_for;
  ASSERT_NE(product, nullptr);
  const auto& form = std::get<Binary>(product->form);
  EXPECT_EQ(checked.info(*form.lhs).constant, 2U);
  const Expr* second = checked.info(*form.rhs).stands_for;
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(std::get<BuiltinVariable>(checked.info(*second).binding), BuiltinVariable::Pid);
}

TEST(Variables, InlineOfConstantsIsConstant) {
  CheckedText checked("inline int f[int a] = a * a; BEGIN { x = f[f[3]]; }");
  ASSERT_FALSE(checked.failed()) << checked.rendered();
  EXPECT_EQ(checked.value().constant, 81U);
}

TEST(Variables, ClauseLocalsBelongToTheirUnit) {
  CheckedText two({{.text = "BEGIN { this->x = 1; g = 1; }"}, {.text = "END { trace(g); this->x = \"a\"; }"}});
  EXPECT_EQ(two.rendered(), "");
  EXPECT_EQ(two.meaning().variables.size(), 3U);
  CheckedText shared("BEGIN { this->x = 1; } END { this->x = \"a\"; }");
  EXPECT_EQ(shared.tag(), "D_OP_INCOMPAT");
}

TEST(Variables, StringBytesAreWritable) {
  EXPECT_EQ(tag_of("BEGIN { s = \"abc\"; s[1] = 'x'; }"), "none");
  EXPECT_EQ(tag_of("BEGIN { execname[0] = 'x'; }"), "D_OP_WRITE");
}

TEST(Variables, IncrementOfAssociativeCreatesIt) {
  CheckedText checked("BEGIN { ++a[execname]; trace(a[\"x\"]); }");
  ASSERT_FALSE(checked.failed()) << checked.rendered();
  const auto& step = std::get<Unary>(checked.statement().form);
  const ExprInfo& element = checked.info(*step.operand);
  EXPECT_TRUE(std::holds_alternative<VariableId>(element.binding));
  EXPECT_TRUE(element.is_writable);
}

}  // namespace
}  // namespace dscope
