// The line rules of d-language.md 10.2, and the source ranges that carets mark.
#include "parse_text.h"

namespace dscope {
namespace {

TEST(Line, OperandsHaveTheirOwnLine) {
  ParsedText parsed("BEGIN\n{\n  x\n  ;\n  f(\n  1\n  )\n  ;\n x->\ny\n;\nx\n++\n;\n}\n");
  ASSERT_FALSE(parsed.failed()) << parsed.message();
  EXPECT_EQ(parsed.statement(0).at.line, 3u);
  EXPECT_EQ(parsed.statement(1).at.line, 5u);   // a call: the line of its name
  EXPECT_EQ(parsed.statement(2).at.line, 10u);  // a member: the line of its last token
  EXPECT_EQ(parsed.statement(3).at.line, 13u);
}

TEST(Line, OperatorsHaveTheLineOfTheNextToken) {
  ParsedText parsed("BEGIN\n{\n  x + y\n  ;\n  -x\n  ;\n  (int)x\n  ;\n  x = y\n\n;\n a ? b : c\n; }\n");
  ASSERT_FALSE(parsed.failed()) << parsed.message();
  EXPECT_EQ(parsed.statement(0).at.line, 4u);
  EXPECT_EQ(parsed.statement(1).at.line, 6u);
  EXPECT_EQ(parsed.statement(2).at.line, 8u);
  EXPECT_EQ(parsed.statement(3).at.line, 11u);
  EXPECT_EQ(parsed.statement(4).at.line, 13u);
}

TEST(Line, ClosingSlashHasTheLineOfTheBrace) {
  ParsedText parsed("BEGIN\n/\"a\" & \"b\"/\n{\n}\n");
  ASSERT_FALSE(parsed.failed());
  EXPECT_EQ(parsed.external<Clause>().predicate->at.line, 3u);
  EXPECT_EQ(parsed.externals()[0].at.line, 4u);  // a clause: the line of its closing brace
  EXPECT_EQ(parsed.external<Clause>().probes[0].at.line, 1u);
}

TEST(Line, DeclaratorsHaveTheLineOfTheNextToken) {
  ParsedText parsed("int x\n,\ny\n\n;\nstruct s {\n int a\n ; };\nenum e {\n A\n, B }\n;\nBEGIN { }\n");
  ASSERT_FALSE(parsed.failed()) << parsed.message();
  EXPECT_EQ(parsed.external<Declaration>(0).declarators[0]->at.line, 2u);
  EXPECT_EQ(parsed.external<Declaration>(0).declarators[1]->at.line, 5u);
  const auto& type = std::get<TagSpecifier>(parsed.external<Declaration>(1).specifiers->type);
  EXPECT_EQ(type.members[0].at.line, 8u);
  const auto& values = std::get<TagSpecifier>(parsed.external<Declaration>(2).specifiers->type);
  EXPECT_EQ(values.enumerators[0].at.line, 11u);
}

TEST(Line, ErrorsHaveTheLineOfTheirToken) {
  EXPECT_EQ(ParsedText("BEGIN\n{\n  x = \"abc\n\";\n}\n").error_line(), 4u);
  EXPECT_EQ(ParsedText("BEGIN\n{\n  x =\n").error_line(), 4u);
  EXPECT_EQ(ParsedText("BEGIN\n{\n  x = ]\n}").error_line(), 3u);
  EXPECT_EQ(ParsedText("int x;\n\n").error_line(), 3u);
}

TEST(Range, CoversTheConstruct) {
  ParsedText parsed("BEGIN { a = (b + c) * f(1, 2); }");
  const auto& assign = std::get<Assign>(parsed.statement().form);
  EXPECT_EQ(parsed.text_of(parsed.statement().at.range), "a = (b + c) * f(1, 2)");
  EXPECT_EQ(parsed.text_of(assign.lhs->at.range), "a");
  const auto& product = std::get<Binary>(assign.rhs->form);
  EXPECT_EQ(parsed.text_of(product.lhs->at.range), "(b + c)");
  EXPECT_EQ(parsed.text_of(product.rhs->at.range), "f(1, 2)");
  EXPECT_EQ(parsed.text_of(parsed.externals()[0].at.range), "BEGIN { a = (b + c) * f(1, 2); }");
}

TEST(Range, CoversDeclarations) {
  ParsedText parsed("struct s { int a : 3; } *p[4];\nBEGIN { (struct s *)1; sizeof (int); }");
  const auto& declaration = parsed.external<Declaration>();
  EXPECT_EQ(parsed.text_of(declaration.declarators[0]->at.range), "*p[4]");
  EXPECT_EQ(parsed.text_of(declaration.specifiers->at.range), "struct s { int a : 3; }");
  EXPECT_EQ(parsed.text_of(std::get<TagSpecifier>(declaration.specifiers->type).members[0].at.range), "a : 3");
  EXPECT_EQ(parsed.text_of(parsed.externals()[0].at.range), "struct s { int a : 3; } *p[4];");
}

TEST(Tokens, AreDumpedAsRead) {
  ParsedText parsed("pid_t *x;\nBEGIN\n/$1 / x/\n{\n#pragma D option quiet\n x->self; $$2 }\n",
                    {.arguments = {"-5", "a"}});
  std::string dump;
  for (const Token& token : parsed.tokens()) dump += dump_token(token, parsed.text_of(token.range)) + "\n";
  EXPECT_EQ(dump,
            "    1 outer     type name       pid_t\n"
            "    1 inner     punctuator      *\n"
            "    1 inner     identifier      x\n"
            "    1 inner     punctuator      ;\n"
            "    2 outer     probe specifier BEGIN\n"
            "    3 outer     punctuator      /\n"
            "    3 predicate punctuator      $1 = -\n"
            "    3 predicate integer         $1 = 5\n"
            "    3 predicate punctuator      /\n"
            "    3 predicate identifier      x\n"
            "    4 predicate predicate end   /\n"
            "    4 inner     punctuator      {\n"
            "    5 inner     control line    #pragma D option quiet\n"
            "    6 inner     identifier      x\n"
            "    6 inner     punctuator      ->\n"
            "    6 member    identifier      self\n"
            "    6 inner     punctuator      ;\n"
            "    6 inner     string          $$2 = \"a\"\n"
            "    6 inner     punctuator      }\n"
            "    7 outer     end of input\n");
}

}  // namespace
}  // namespace dscope
