#include <unistd.h>

#include "parse_text.h"

namespace dscope {
namespace {

std::string with_argument(const std::string& expression, const std::string& argument) {
  ParsedText parsed("BEGIN { " + expression + "; }", {.arguments = {argument}});
  return parsed.failed() ? parsed.tag() : grouped(parsed.statement());
}

TEST(MacroArgument, IsTokenized) {
  EXPECT_EQ(with_argument("$1", "42"), "42");
  EXPECT_EQ(with_argument("$1", "0x10ul"), "16ul");
  EXPECT_EQ(with_argument("1 - $1", "-42"), "(1 - -42)");
  EXPECT_EQ(with_argument("$1", "+42"), "+42");
  EXPECT_EQ(with_argument("$1", "pid"), "pid");
  EXPECT_EQ(with_argument("sizeof ($1)", "int"), "sizeof (int)");
  EXPECT_EQ(with_argument("curthread->$1", "comm"), "curthread->comm");
  EXPECT_EQ(with_argument("$1", "two words"), "\"two words\"");
  EXPECT_EQ(with_argument("$1", "\"a\\tb\""), "\"a\\tb\"");
  EXPECT_EQ(with_argument("$1", ""), "\"\"");
}

TEST(MacroArgument, ExpandsToText) {
  EXPECT_EQ(with_argument("$$1", "42"), "\"42\"");
  EXPECT_EQ(with_argument("$$1", "a\\nb"), "\"a\\nb\"");
}

TEST(MacroArgument, RejectsBadReferences) {
  EXPECT_EQ(with_argument("$1", "99999999999999999999"), "D_MACRO_OFLOW");
  EXPECT_EQ(with_argument("$2", "1"), "D_MACRO_UNDEF");
  EXPECT_EQ(with_argument("$$99999999999999999999", "1"), "D_MACRO_UNDEF");
  EXPECT_EQ(with_argument("123$1", "1"), "D_SYNTAX");
}

TEST(MacroArgument, DefaultsIfEnabled) {
  Setting setting;
  setting.options.default_arguments = true;
  ParsedText parsed("BEGIN { $1; $$1; }", setting);
  ASSERT_FALSE(parsed.failed());
  EXPECT_EQ(print_expr(parsed.statement(0)), "0");
  EXPECT_EQ(print_expr(parsed.statement(1)), "\"\"");
}

TEST(MacroArgument, ZeroIsTheScriptOrTheProgram) {
  EXPECT_EQ(print_expr(ParsedText("BEGIN { $$0; }").statement()), "\"test.d\"");
  EXPECT_EQ(print_expr(ParsedText("BEGIN { $0; }", {.kind = UnitKind::String}).statement()), "dscope");
}

TEST(MacroArgument, LastArgumentMustBeUsed) {
  EXPECT_EQ(message_of("BEGIN { $1; }", {.arguments = {"1", "two"}}),
            "extraneous argument 'two' ($2 is not referenced)");
  EXPECT_EQ(tag_of("BEGIN { $2; }", {.arguments = {"1", "two"}}), "none");
  EXPECT_EQ(tag_of("pid$2::: { }", {.arguments = {"1", "2"}}), "none");
  Setting setting{.arguments = {"1"}};
  setting.options.allow_unused_argument = true;
  EXPECT_EQ(tag_of("BEGIN { }", setting), "none");
  EXPECT_EQ(tag_of("inline int x = 1;", {.kind = UnitKind::Library, .arguments = {"1"}}), "none");
}

TEST(MacroVariable, HasValues) {
  EXPECT_EQ(grouped("$target"), "1234");
  EXPECT_EQ(grouped("$$target"), "\"1234\"");
  EXPECT_EQ(grouped("$pid"), std::to_string(getpid()));
  EXPECT_EQ(grouped("$$uid"), "\"" + std::to_string(getuid()) + "\"");
  for (const char* name : {"$ppid", "$euid", "$gid", "$egid", "$sid", "$pgid", "$projid"})
    EXPECT_EQ(tag_of(std::string("BEGIN { ") + name + "; }"), "none") << name;
  EXPECT_EQ(grouped("$$format"), "\"text\"");
  EXPECT_EQ(tag_of("BEGIN { $$nosuch; }"), "D_MACRO_UNDEF");
  EXPECT_EQ(tag_of("BEGIN { $; }"), "D_SYNTAX");
}

// Other names are variables of the traced program, which the checker resolves.
TEST(MacroVariable, OtherNamesAreVariablesOfTheTracedProgram) {
  for (const char* text : {"$nosuch", "$p->next->name", "$$vars", "$table[3]", "sizeof $x"})
    EXPECT_EQ(print_expr(ParsedText(fmt::format("BEGIN {{ {}; }}", text)).statement()), text);
  EXPECT_EQ(tag_of("BEGIN /$x == 3/ { ($y); }"), "none");
  EXPECT_EQ(tag_of("inline int a = $$vars2;"), "D_MACRO_UNDEF");
  EXPECT_EQ(tag_of("BEGIN { x->$y; }"), "D_MACRO_UNDEF") << "not an expression";
}

TEST(MacroVariable, OfOtherSystemsIsZero) {
  for (const char* name : {"$projid", "$taskid"})
    EXPECT_EQ(print_expr(ParsedText(fmt::format("BEGIN {{ {}; }}", name)).statement()), "0") << name;
  EXPECT_EQ(tag_of("BEGIN { $$zonename; }"), "D_MACRO_UNDEF");
}

}  // namespace
}  // namespace dscope
