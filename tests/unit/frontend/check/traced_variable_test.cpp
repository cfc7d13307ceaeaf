// Variables of the traced program, at the lines of fake_host.txt.
#include "check_text.h"

namespace dscope {
namespace {

TEST(TracedVariables, HaveTheTypeOfTheSource) {
  CheckedText checked("uprobe:shop:cart.c@64: { this->a = $total; this->b = $name; }");
  ASSERT_FALSE(checked.failed()) << checked.rendered();
  EXPECT_EQ(checked.type_name(checked.value(0)), "int");
  EXPECT_EQ(checked.type_name(checked.value(1)), "char *");
  EXPECT_EQ(checked.value(1).space, Space::User);
}

TEST(TracedVariables, SpellTheirNameInMessages) {
  CheckedText checked("uprobe:shop:cart.c@64: { $total = 1; }");
  EXPECT_EQ(checked.tag(), "D_OP_WRITE");
  EXPECT_NE(checked.message().find("$total"), std::string::npos) << checked.message();
}

TEST(TracedVariables, DeadOnesAreErrorsWithAHint) {
  CheckedText checked("uprobe:shop:cart.c@64: { trace($below); }");
  EXPECT_EQ(checked.tag(), "D_ARGS_TYPE");
  EXPECT_EQ(checked.message(), "$below cannot be read at cart.c@64:total_of: it is optimized out here");
  EXPECT_NE(checked.rendered_in_full().find("a hint about below"), std::string::npos);
}

TEST(TracedVariables, ExistAtProbesOfProgramsOnly) {
  for (const char* text : {"BEGIN { trace($total); }", "inline int x = $total; BEGIN { trace(x); }",
                           "uprobe:shop:cart.c@64: { trace($nothing); }"})
    EXPECT_EQ(CheckedText(text).tag(), "D_MACRO_UNDEF") << text;
}

// Probes without the variable do not fire; another type gets an instance of its own.
TEST(TracedVariables, SelectTheProbesOfPatterns) {
  CheckedText named("uprobe:shop:cart.c@*: { trace($name); }");
  ASSERT_FALSE(named.failed()) << named.rendered();
  ASSERT_EQ(named.meaning().clauses.size(), 1U);
  EXPECT_EQ(named.instance().probes.size(), 1U);
  CheckedText counted("uprobe:shop:cart.c@*: { this->a = $total; }");
  ASSERT_FALSE(counted.failed()) << counted.rendered();
  ASSERT_EQ(counted.meaning().clauses.size(), 2U);
  EXPECT_EQ(counted.type_name(counted.value(0, 0)), "int");
  EXPECT_EQ(counted.instance(0).probes.size(), 2U);
  EXPECT_EQ(counted.type_name(counted.value(0, 1)), "long");
}

TEST(TracedVariables, AreAllPrintedTogether) {
  CheckedText checked("uprobe:shop:cart.c@64: { print($$vars); }");
  ASSERT_FALSE(checked.failed()) << checked.rendered();
  const Call& call = std::get<Call>(checked.statement().form);
  const Type& type = checked.types().resolved(checked.info(*call.arguments[0]).type);
  ASSERT_EQ(type.members.size(), 2U);
  EXPECT_EQ(type.members[0].name, "total");
  EXPECT_EQ(type.members[1].name, "name");
  EXPECT_EQ(CheckedText("uprobe:shop:cart.c@64: { trace($$vars); }").tag(), "D_IDENT_BADREF");
}

}  // namespace
}  // namespace dscope
