#include "parse_text.h"

namespace dscope {
namespace {

std::string fields(const std::string& text, Setting setting = {.kind = UnitKind::String}) {
  ParsedText parsed(text, std::move(setting));
  if (parsed.failed()) return parsed.tag() + ": " + parsed.message();
  const ProbeSpecifier& probe = parsed.external<Clause>().probes.at(0);
  if (probe.id) return fmt::format("#{}", *probe.id);
  return probe.provider + "/" + probe.module + "/" + probe.function + "/" + probe.name;
}

TEST(ProbeSpecifier, FieldsAreAssignedFromTheRight) {
  EXPECT_EQ(fields("tick-1s"), "///tick-1s");
  EXPECT_EQ(fields("a:b"), "//a/b");
  EXPECT_EQ(fields("a:b:c"), "/a/b/c");
  EXPECT_EQ(fields("a:b:c:d"), "a/b/c/d");
  EXPECT_EQ(fields("syscall:::"), "syscall///");
  EXPECT_EQ(fields(":::"), "///");
}

TEST(ProbeSpecifier, WordBeforeAnotherWordIsAType) {
  for (const char* text : {"pid7`foo_t *x; BEGIN", "pid7`foo_t*x; BEGIN", "pid7`ns::foo y; BEGIN",
                           "pid$target`libc.so.6`foo z; BEGIN", "userland struct foo *u; BEGIN"}) {
    ParsedText parsed(text, {.kind = UnitKind::String});
    ASSERT_FALSE(parsed.failed()) << text << parsed.message();
    EXPECT_EQ(parsed.external<Declaration>().declarators.size(), 1U) << text;
  }
  EXPECT_EQ(fields("pid7`foo"), "///pid7`foo");
  EXPECT_EQ(fields("userland"), "///userland");
}

TEST(ProbeSpecifier, LastFieldDependsOnTheOption) {
  Setting function{.kind = UnitKind::String, .last_field = SpecifierField::Function};
  Setting module{.kind = UnitKind::String, .last_field = SpecifierField::Module};
  Setting provider{.kind = UnitKind::String, .last_field = SpecifierField::Provider};
  EXPECT_EQ(fields("read", function), "//read/");
  EXPECT_EQ(fields("a:b", function), "/a/b/");
  EXPECT_EQ(fields("ext4", module), "/ext4//");
  EXPECT_EQ(fields("proc", provider), "proc///");
  EXPECT_EQ(fields("a:b", provider),
            "D_PDESC_INVAL: invalid probe description \"a:b\": Overspecified probe description");
}

TEST(ProbeSpecifier, RejectsTooManyFields) {
  EXPECT_EQ(fields("::::x"), "D_PDESC_INVAL: invalid probe description \"::::x\": Overspecified probe description");
}

TEST(ProbeSpecifier, NumbersAreProbeIds) {
  EXPECT_EQ(fields("42"), "#42");
  EXPECT_EQ(tag_of("3", {.kind = UnitKind::String, .last_field = SpecifierField::Module}), "D_PDESC_INVAL");
  EXPECT_EQ(tag_of("4294967296", {.kind = UnitKind::String}), "D_PDESC_INVAL");
  EXPECT_EQ(ParsedText("1,2,BEGIN { }").external<Clause>().probes.size(), 3u);
}

TEST(ProbeSpecifier, MacrosAreExpandedToTheEndOfTheField) {
  Setting setting{.kind = UnitKind::String, .arguments = {"77", "libc"}};
  EXPECT_EQ(fields("pid$target:::entry,$2:::", setting), "pid1234///entry");
  EXPECT_EQ(fields("pid$1abc:$2::$$2", setting), "pid77abc/libc//libc");
  EXPECT_EQ(fields("pid$3:::", setting),
            "D_PDESC_INVAL: invalid probe description \"pid$3:::\": Undefined macro variable in probe description");
  EXPECT_EQ(tag_of("pid$nosuch:::", setting), "D_PDESC_INVAL");
}

TEST(OuterWord, DistinguishesKeywordsTypesAndSpecifiers) {
  EXPECT_TRUE(std::holds_alternative<Clause>(ParsedText("integer { }").externals()[0].form));
  EXPECT_TRUE(std::holds_alternative<Clause>(ParsedText("foo* { }").externals()[0].form));
  EXPECT_TRUE(std::holds_alternative<Declaration>(ParsedText("pid_t x; BEGIN {}").externals()[0].form));
  EXPECT_TRUE(std::holds_alternative<Declaration>(ParsedText("pid_t*x; BEGIN {}").externals()[0].form));
  EXPECT_TRUE(std::holds_alternative<Declaration>(ParsedText("int*x; BEGIN {}").externals()[0].form));
  EXPECT_EQ(tag_of("pid_t { }"), "D_SYNTAX");
}

TEST(OuterWord, StringsTakeAmbiguousWordsAsSpecifiers) {
  EXPECT_EQ(fields("pid_t"), "///pid_t");
  EXPECT_EQ(fields("int*x"), "///int*x");
  Setting pspec;
  pspec.options.probe_specifiers = true;
  EXPECT_EQ(tag_of("pid_t { }", pspec), "none");
  EXPECT_EQ(tag_of("#pragma D option pspec\npid_t { }"), "none");
}

TEST(OuterWord, TypesDeclaredByTheProgramAreTypes) {
  EXPECT_EQ(tag_of("typedef int my_t; my_t x; my_t *y; BEGIN { }"), "none");
  ParsedText two("typedef int my_t; BEGIN { }");
  two.add("my_t x; BEGIN { trace((my_t)arg0); }");
  EXPECT_EQ(two.tag(), "none");
}

TEST(Clause, BodyIsOptionalInStringsOnly) {
  EXPECT_EQ(tag_of("BEGIN", {.kind = UnitKind::String}), "none");
  EXPECT_EQ(ParsedText("BEGIN END", {.kind = UnitKind::String}).externals().size(), 2u);
  EXPECT_EQ(tag_of("BEGIN"), "D_SYNTAX");
  EXPECT_EQ(tag_of("BEGIN;", {.kind = UnitKind::String}), "D_SYNTAX");
}

TEST(Clause, PredicateNeedsActions) {
  EXPECT_EQ(tag_of("BEGIN /1/", {.kind = UnitKind::String}), "D_SYNTAX");
  EXPECT_EQ(tag_of("BEGIN /1/;", {.kind = UnitKind::String}), "D_SYNTAX");
  EXPECT_EQ(tag_of("BEGIN /1/"), "D_SYNTAX");
}

TEST(Clause, StraySemicolonIsAnError) { EXPECT_EQ(tag_of("BEGIN { }; END { }"), "D_SYNTAX"); }

TEST(Predicate, DivisionDiffersFromThePredicateEnd) {
  ParsedText parsed("BEGIN /arg0 / 2 == 4/ { }");
  ASSERT_FALSE(parsed.failed());
  EXPECT_EQ(grouped(*parsed.external<Clause>().predicate), "((arg0 / 2) == 4)");
  EXPECT_EQ(tag_of("BEGIN /(arg0 / /* half */ 2)/ { }"), "none");
  EXPECT_EQ(tag_of("BEGIN /arg0//* why */{ }"), "none");
  EXPECT_EQ(tag_of("BEGIN /arg0/ // why\n{ }"), "none");
  EXPECT_EQ(tag_of("BEGIN /(arg0/ { }"), "D_SYNTAX");
  EXPECT_EQ(tag_of("BEGIN { x = 6 / /* half */ 2; }"), "none");
}

TEST(Clause, NodesOfAClauseAreContiguous) {
  ParsedText parsed("BEGIN /1/ { trace(2); } END { trace(3); }");
  const auto& first = parsed.external<Clause>(0);
  const auto& second = parsed.external<Clause>(1);
  EXPECT_EQ(first.first_node.index, 0u);
  EXPECT_EQ(first.end_node.index, 4u);
  EXPECT_EQ(second.first_node.index, 4u);
  EXPECT_EQ(second.end_node.index, parsed.program().node_count);
}

TEST(Unit, EmptyProgramsAreRejected) {
  EXPECT_EQ(tag_of(""), "D_EMPTY");
  EXPECT_EQ(tag_of("int x;\n#pragma D option quiet\n"), "D_EMPTY");
  EXPECT_EQ(tag_of("inline int x = 1;"), "none");
  EXPECT_EQ(tag_of("int x;", {.kind = UnitKind::Library}), "none");
  Setting empty;
  empty.options.allow_empty = true;
  EXPECT_EQ(tag_of("", empty), "none");
}

}  // namespace
}  // namespace dscope
