// self-> variables with threads=goroutines, at the lines of fake_host.txt.
#include "check_text.h"
#include "contract/types/traced_variable.h"

namespace dscope {
namespace {

CheckedText check_goroutines(std::string text) {
  return CheckedText(std::vector<UnitText>{{.text = std::move(text)}}, {"threads=goroutines"});
}

TEST(GoroutineVariables, BelongToTheGoroutineAtProbesOfGoOnly) {
  CheckedText checked = check_goroutines("uprobe:shop:routines.go@9: { self->a = 1; } BEGIN { self->b = 1; }");
  ASSERT_FALSE(checked.failed()) << checked.rendered();
  EXPECT_TRUE(checked.variable("a", VariableScope::Self).follows_goroutines);
  EXPECT_FALSE(checked.variable("b", VariableScope::Self).follows_goroutines);
  ASSERT_TRUE(checked.meaning().goroutine_name);
  EXPECT_EQ(checked.meaning().traced_names.at(*checked.meaning().goroutine_name), goroutine_number);
}

TEST(GoroutineVariables, BelongToThreadsByDefault) {
  for (const char* option : {"quiet", "threads=kernel"}) {
    CheckedText checked(std::vector<UnitText>{{.text = "uprobe:shop:routines.go@9: { self->a = 1; }"}}, {option});
    ASSERT_FALSE(checked.failed()) << checked.rendered();
    EXPECT_FALSE(checked.variable("a", VariableScope::Self).follows_goroutines);
    EXPECT_FALSE(checked.meaning().goroutine_name);
  }
}

// Each kind of probe gets an instance of the clause; those of which the goroutine is unknown do not fire it.
TEST(GoroutineVariables, SplitClausesByTheOwner) {
  CheckedText checked = check_goroutines("uprobe:shop::{ self->a++; }");
  ASSERT_FALSE(checked.failed()) << checked.rendered();
  ASSERT_EQ(checked.meaning().clauses.size(), 2U);
  EXPECT_EQ(checked.instance(0).probes.size(), 3U);
  ASSERT_EQ(checked.instance(1).probes.size(), 2U);
  EXPECT_EQ(checked.instance(1).probes.front()->name, "main.leaf");
  CheckedText without = check_goroutines("uprobe:shop::{ @ = count(); }");
  EXPECT_EQ(without.instance(0).probes.size(), 6U);
}

// Inlines are typed once, at their first use.
TEST(GoroutineVariables, AreFoundInInlines) {
  CheckedText checked = check_goroutines(
      "self int a; inline int depth = self->a; BEGIN { trace(depth); } "
      "uprobe:shop:routines.go@*: /depth/ { @ = count(); }");
  ASSERT_FALSE(checked.failed()) << checked.rendered();
  EXPECT_TRUE(checked.variable("a", VariableScope::Self).follows_goroutines);
  EXPECT_EQ(checked.instance(1).probes.size(), 2U);
}

TEST(GoroutineVariables, AreErrorsWhereTheGoroutineIsUnknown) {
  CheckedText checked = check_goroutines("uprobe:shop:routines.go@30: { self->a = 1; }");
  EXPECT_EQ(checked.tag(), "D_ARGS_TYPE");
  EXPECT_EQ(checked.message(),
            "self-> variables cannot follow goroutines at routines.go@30:runtime.memmove: it is optimized out here");
  EXPECT_NE(checked.rendered_in_full().find("threads=kernel"), std::string::npos);
}

TEST(GoroutineVariables, HaveNoAddress) {
  const std::string text = "struct pair { int x; int y; }; self struct pair p; BEGIN { trace(&self->p.x); }";
  EXPECT_EQ(check_goroutines(text).tag(), "D_ADDROF_VAR");
  EXPECT_EQ(CheckedText(text).tag(), "none");
}

}  // namespace
}  // namespace dscope
