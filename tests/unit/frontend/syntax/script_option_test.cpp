// Options that scripts declare by `#pragma D arg`: their values in the program, and the parts of it that they leave
// out.
#include "parse_text.h"

namespace dscope {
namespace {

Setting with(std::vector<ScriptValue> values) {
  Setting setting;
  setting.script_values = std::move(values);
  return setting;
}

std::string value_of(const std::string& pragma, const std::string& expression, std::vector<ScriptValue> values = {}) {
  ParsedText parsed("#pragma D arg " + pragma + "\nBEGIN { " + expression + "; }", with(std::move(values)));
  return parsed.failed() ? parsed.tag() : print_expr(parsed.statement());
}

TEST(ScriptOption, IsANumberOrAText) {
  EXPECT_EQ(value_of("--min TIME=2ms", "$min"), "2000000");
  EXPECT_EQ(value_of("--min TIME=2ms", "$$min"), "\"2ms\"");
  EXPECT_EQ(value_of("--min TIME=2ms", "$min", {{"min", "1us"}}), "1000");
  EXPECT_EQ(value_of("--min-bytes SIZE", "$min_bytes", {{"min_bytes", "4k"}}), "4096");
  EXPECT_EQ(value_of("-n", "$name", {{"name", "cat"}}), "\"cat\"");
  EXPECT_EQ(value_of("-n", "$$name"), "\"\"");
  EXPECT_EQ(value_of("-x", "$errors"), "0");
  EXPECT_EQ(value_of("-x", "$errors", {{"errors", "1"}}), "1");
  EXPECT_EQ(value_of("-x", "$$name"), "D_MACRO_UNDEF");
}

TEST(ScriptOption, MustBeDeclaredBeforeItsUse) {
  EXPECT_EQ(tag_of("BEGIN { $$errors; }\n#pragma D arg -x\n"), "D_MACRO_UNDEF");
  EXPECT_EQ(tag_of("#pragma D arg -q\nBEGIN { }"), "D_PRAGMA_MALFORM");
  EXPECT_EQ(tag_of("#pragma D arg -x\nBEGIN { }", {.kind = UnitKind::String}), "D_PRAGMA_INVAL");
}

std::string probe_names(const std::string& text, std::vector<ScriptValue> values = {}) {
  ParsedText parsed(text, with(std::move(values)));
  if (parsed.failed()) return parsed.tag();
  std::string names;
  for (const ProgramUnit& unit : parsed.program().units)
    for (const External& external : unit.externals)
      if (const auto* clause = std::get_if<Clause>(&external.form))
        for (const ProbeSpecifier& probe : clause->probes) names += probe.function + ":" + probe.name + " ";
  return names;
}

TEST(ScriptOption, DescriptionsWithoutAValueMatchNothing) {
  const std::string text = "#pragma D arg -i\nprofile:::tick-$interval, dtrace:::END { }\n";
  EXPECT_EQ(probe_names(text), ":END ");
  EXPECT_EQ(probe_names(text, {{"interval", "5"}}), ":tick-5000000000ns :END ");
  EXPECT_EQ(probe_names("#pragma D arg -i\nprofile:::tick-$interval { } BEGIN { }"), ":BEGIN ");
  EXPECT_EQ(probe_names("#pragma D arg --function NAME\npid$target:a.out:$function:entry { }", {{"function", "str*"}}),
            "str*:entry ");
}

size_t statements_of(const std::string& condition, std::vector<ScriptValue> values = {}) {
  ParsedText parsed("#pragma D arg -T\nBEGIN { if (" + condition + ") { 1; 2; } else 3; }", with(std::move(values)));
  EXPECT_FALSE(parsed.failed());
  for (const External& external : parsed.program().units.front().externals)
    if (const auto* clause = std::get_if<Clause>(&external.form)) return clause->body.size();
  return 0;
}

TEST(ScriptOption, ADecidedConditionKeepsOneBranch) {
  EXPECT_EQ(statements_of("$time", {{"time", "1"}}), 2U);
  EXPECT_EQ(statements_of("$time"), 1U);
  EXPECT_EQ(statements_of("!$time"), 2U);
  EXPECT_EQ(statements_of("$time && pid"), 1U);
  // One statement, the if itself.
  EXPECT_EQ(statements_of("$time && pid", {{"time", "1"}}), 1U);
}

TEST(ScriptOption, ADecidedConditionIsItsValue) {
  EXPECT_EQ(value_of("-n", "$$name == \"\" || execname == $$name"), "1");
  EXPECT_EQ(value_of("-n", "$$name == \"\" || execname == $$name", {{"name", "cat"}}), "0 || execname == \"cat\"");
  EXPECT_EQ(value_of("--port PORT", "$port != 0 && arg0 == $port"), "0");
  EXPECT_EQ(value_of("-x", "!$errors || errno"), "1");
  // Only options decide: this is an ordinary expression.
  EXPECT_EQ(value_of("-x", "0 && pid"), "0 && pid");
  // The first operand is evaluated.
  EXPECT_EQ(value_of("-x", "pid++ || !$errors"), "pid++ || !0");
}

TEST(ScriptOption, AFlagChoosesAValue) {
  EXPECT_EQ(value_of("-K", "$by_container ? container : execname"), "execname");
  EXPECT_EQ(value_of("-K", "$by_container ? container : execname", {{"by_container", "1"}}), "container");
  EXPECT_EQ(value_of("-K", "$by_container ? 1 : pid ? 2 : 3"), "pid ? 2 : 3");
}

TEST(ScriptOption, DeclaredArgumentsNeedNotBeUsed) {
  Setting setting = with({{"pattern", "x"}});
  setting.arguments = {"x"};
  EXPECT_EQ(tag_of("#pragma D arg [PATTERN]\nBEGIN { $$pattern; }", setting), "none");
  EXPECT_EQ(value_of("[PATTERN]", "$$1"), "\"\"");
}

}  // namespace
}  // namespace dscope
