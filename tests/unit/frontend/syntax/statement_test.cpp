#include "parse_text.h"

namespace dscope {
namespace {

size_t count_statements(const std::string& body) {
  ParsedText parsed("BEGIN {" + body + "}");
  EXPECT_FALSE(parsed.failed()) << body << ": " << parsed.message();
  return parsed.failed() ? 0 : parsed.external<Clause>().body.size();
}

TEST(Statement, SemicolonsSeparate) {
  EXPECT_EQ(count_statements(""), 0u);
  EXPECT_EQ(count_statements(";;"), 0u);
  EXPECT_EQ(count_statements("trace(1)"), 1u);
  EXPECT_EQ(count_statements(";trace(1);;trace(2);"), 2u);
}

TEST(Statement, ParsesIfElseChains) {
  EXPECT_EQ(count_statements("if (1) trace(1); else trace(2); trace(3)"), 2u);
  EXPECT_EQ(count_statements("if (1) { trace(1); trace(2) } trace(3);"), 2u);
  EXPECT_EQ(count_statements("if (1) trace(1)"), 1u);
  EXPECT_EQ(count_statements("if (1) ; else { }"), 1u);
  ParsedText parsed("BEGIN { if (a == 1) x = 1; else if (a == 2) { x = 2 } else { x = 3; y = 4; } }");
  ASSERT_FALSE(parsed.failed());
  const auto& outer = std::get<IfStatement>(parsed.external<Clause>().body[0]->form);
  ASSERT_EQ(outer.else_body.size(), 1u);
  const auto& inner = std::get<IfStatement>(outer.else_body[0]->form);
  EXPECT_EQ(inner.then_body.size(), 1u);
  EXPECT_EQ(inner.else_body.size(), 2u);
}

TEST(Statement, DanglingElseBelongsToTheNearestIf) {
  ParsedText parsed("BEGIN { if (a) if (b) x = 1; else x = 2; }");
  ASSERT_FALSE(parsed.failed());
  const auto& outer = std::get<IfStatement>(parsed.external<Clause>().body[0]->form);
  EXPECT_TRUE(outer.else_body.empty());
  EXPECT_EQ(std::get<IfStatement>(outer.then_body.at(0)->form).else_body.size(), 1u);
}

TEST(Statement, RejectsMisplacedIfAndElse) {
  EXPECT_EQ(tag_of("BEGIN { else x = 1; }"), "D_SYNTAX");
  EXPECT_EQ(tag_of("BEGIN { x = if (1) 2; }"), "D_SYNTAX");
  EXPECT_EQ(tag_of("BEGIN /if (1) 1/ { }"), "D_SYNTAX");
  EXPECT_EQ(tag_of("BEGIN { if 1 x = 1; }"), "D_SYNTAX");
  EXPECT_EQ(tag_of("BEGIN { if (1) x = 1; else }"), "D_SYNTAX");
}

}  // namespace
}  // namespace dscope
