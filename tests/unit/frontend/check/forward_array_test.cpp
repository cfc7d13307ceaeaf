// Associative arrays that are read above their first assignment (d-language.md 5.4).
#include "check_text.h"

namespace dscope {
namespace {

TEST(ForwardArrays, HaveTheTypeOfTheirFirstAssignment) {
  CheckedText checked(
      "BEGIN /!pending[1]/ { x = pending[2]; } END { pending[pid, 1L] = timestamp; } END { pending[1, 2] = 1; }");
  EXPECT_EQ(checked.tag(), "D_PROTO_LEN");
  CheckedText typed(
      "BEGIN /!pending[1]/ { x = pending[2]; } END { pending[(short)1] = timestamp; } END { pending[2] = 1; }");
  ASSERT_FALSE(typed.failed()) << typed.rendered();
  const Variable& array = typed.variable("pending");
  EXPECT_TRUE(array.is_associative);
  ASSERT_EQ(array.keys.size(), 1U);
  EXPECT_EQ(typed.types().spell(array.keys[0]), "short");
  EXPECT_EQ(typed.types().spell(array.type), "uint64_t");
  EXPECT_EQ(typed.types().spell(typed.variable("x").type), "uint64_t");
}

TEST(ForwardArrays, MayBeThreadLocal) {
  CheckedText checked("BEGIN { trace(self->names[1]); } END { self->names[1] = execname; }");
  ASSERT_FALSE(checked.failed()) << checked.rendered();
  EXPECT_EQ(checked.types().spell(checked.variable("names", VariableScope::Self).type), "string");
}

TEST(ForwardArrays, MayBeReadInAnyExpression) {
  for (const char* use : {"x[1]++", "x[1] += 2", "x[1] -= x[2]"})
    EXPECT_EQ(tag_of(std::string("BEGIN { ") + use + "; } END { x[1] = 1; }"), "none") << use;
  EXPECT_EQ(tag_of("BEGIN { @[t[1]->comm] = sum(n[1]); printf(\"%s %d\", s[1], n[2]); trace(strlen(s[2])); }"
                   "END { t[1] = curthread; n[1] = 1; s[1] = \"a\"; }"),
            "none");
  EXPECT_EQ(tag_of("BEGIN /s[1] == \"a\" && *p[1] == 1/ { this->x = s[2]; stringof(s[1]); }"
                   "END { s[1] = \"a\"; p[1] = (int *)arg0; }"),
            "none");
}

// Mistakes are found as if the array had been declared.
TEST(ForwardArrays, AreChecked) {
  EXPECT_EQ(tag_of("BEGIN { printf(\"%s\", n[1]); } END { n[1] = 1; }"), "D_PRINTF_ARG_TYPE");
  EXPECT_EQ(tag_of("BEGIN { n[1] = \"a\"; } END { n[1] = 1; }"), "D_OP_INCOMPAT");
  EXPECT_EQ(tag_of("BEGIN { trace(n[\"a\"]); } END { n[1] = 1; }"), "D_PROTO_ARG");
}

TEST(ForwardArrays, MayDependOnEachOther) {
  CheckedText checked("BEGIN { a[1] = b[1]; } BEGIN { b[1] = c[1]; } BEGIN { c[1] = timestamp; }");
  ASSERT_FALSE(checked.failed()) << checked.rendered();
  EXPECT_EQ(checked.types().spell(checked.variable("a").type), "uint64_t");
}

TEST(ForwardArrays, NeedAnAssignmentThatHasAType) {
  CheckedText mutual("BEGIN { a[1] = b[1]; b[1] = a[1]; }");
  EXPECT_EQ(mutual.tag(), "D_VAR_UNDEF");
  EXPECT_EQ(mutual.message(),
            "undefined variable name: b (the type of its first assignment depends on the array itself)");
  EXPECT_EQ(tag_of("BEGIN { a[1] = a[2]; }"), "D_VAR_UNDEF");
  EXPECT_EQ(tag_of("BEGIN { trace(a[1]); }"), "D_VAR_UNDEF");
  EXPECT_EQ(tag_of("BEGIN { a[1] += 1; }"), "D_VAR_UNDEF");
  EXPECT_EQ(tag_of("BEGIN { trace(x); } END { x[1] = 1; }"), "D_IDENT_UNDEF");
  EXPECT_EQ(tag_of("BEGIN { trace(self->x); } END { self->x = 1; }"), "D_VAR_UNDEF");
}

// The first attempts leave no clauses and variables behind.
TEST(ForwardArrays, EarlierAttemptsLeaveNothing) {
  CheckedText checked("BEGIN { x = a[1]; @n = count(); } END { a[1] = 1; }");
  ASSERT_FALSE(checked.failed()) << checked.rendered();
  EXPECT_EQ(checked.meaning().clauses.size(), 2U);
  EXPECT_EQ(checked.meaning().variables.size(), 2U);
  EXPECT_EQ(checked.meaning().aggregations.size(), 1U);
}

}  // namespace
}  // namespace dscope
