#include "frontend/syntax/lexer.h"

#include <gtest/gtest.h>

#include <memory>

namespace dscope {
namespace {

// All tokens of `text` in one mode, as "kind:text" separated by blanks.
std::string tokens(const std::string& text, LexMode mode = LexMode::Inner) {
  SourceSet sources;
  UnitId unit = sources.add(UnitKind::Script, "test.d", text);
  Diagnostics diagnostics(sources);
  Lexer lexer(sources.unit(unit), diagnostics);
  std::string shown;
  for (Token token = lexer.next(mode); token.kind != TokenKind::EndOfFile; token = lexer.next(mode)) {
    if (!shown.empty()) shown += ' ';
    shown += sources.text(token.range);
  }
  if (diagnostics.has_errors()) shown += " " + std::string(to_string(diagnostics.first().tag));
  return shown;
}

Token first_token(const std::string& text, LexMode mode = LexMode::Inner) {
  static SourceSet sources;
  UnitId unit = sources.add(UnitKind::Script, "test.d", text);
  Diagnostics diagnostics(sources);
  return Lexer(sources.unit(unit), diagnostics).next(mode);
}

TEST(Lexer, LongestPunctuatorWins) {
  EXPECT_EQ(tokens("a<<=b>>c->d...^^=!=++ +"), "a <<= b >> c -> d ... ^^ = != ++ +");
}

TEST(Lexer, CommentsOfBothKindsAreSkipped) {
  EXPECT_EQ(tokens("a /* b \n c */ d // e\n f"), "a d f");
  EXPECT_EQ(tokens("a /**/ b"), "a b");
}

TEST(Lexer, CommentsDoNotNestOrEndWithTheFile) {
  EXPECT_EQ(tokens("a /* b /* c */"), "a D_SYNTAX");
  EXPECT_EQ(tokens("a /* b"), "a D_SYNTAX");
}

TEST(Lexer, BackslashNewlineIsBlank) { EXPECT_EQ(tokens("a \\\n b"), "a b"); }

TEST(Lexer, InterpreterLinesAreSkippedAnywhere) { EXPECT_EQ(tokens("#!/usr/sbin/dtrace -s\na\n #! x\nb"), "a b"); }

TEST(Lexer, SlashEndsThePredicateOnlyBeforeItsFollowers) {
  EXPECT_EQ(first_token("/ 2", LexMode::Predicate).kind, TokenKind::Slash);
  EXPECT_EQ(first_token("/= 2", LexMode::Predicate).kind, TokenKind::DivideAssign);
  EXPECT_EQ(first_token("/ {", LexMode::Predicate).kind, TokenKind::PredicateEnd);
  EXPECT_EQ(first_token("/\n\n;", LexMode::Predicate).kind, TokenKind::PredicateEnd);
  EXPECT_EQ(first_token("/", LexMode::Predicate).kind, TokenKind::PredicateEnd);
  EXPECT_EQ(first_token("//* c */{", LexMode::Predicate).kind, TokenKind::PredicateEnd);
  EXPECT_EQ(first_token("/ {", LexMode::Inner).kind, TokenKind::Slash);
}

TEST(Lexer, LineMarkerAfterPredicateIsNotAnOperand) {
  EXPECT_EQ(first_token("/\n# 3 \"a.d\"\n{", LexMode::Predicate).kind, TokenKind::PredicateEnd);
}

TEST(Lexer, DigitsAndLettersAreTwoTokens) {
  EXPECT_EQ(tokens("1LU"), "1L U");
  EXPECT_EQ(tokens("0x"), "0 x");
  EXPECT_EQ(tokens("0xg 12ab 1ulul"), "0 xg 12 ab 1ul ul");
  EXPECT_EQ(tokens("0x1E+1"), "0x1E + 1");
  EXPECT_EQ(tokens("08"), " D_INT_DIGIT");
  EXPECT_EQ(tokens("07777777777777777777777"), " D_INT_OFLOW");
  EXPECT_EQ(tokens("'\377\377\377\377\377\377\377\377'"), " D_INT_OFLOW");
}

TEST(Lexer, UnknownEscapesKeepTheirBackslash) {
  EXPECT_EQ(first_token("\"\\q\\8\\x\\xg\"").text, "\\q\\8\\x\\xg");
  EXPECT_EQ(first_token("\"\\x4142\\1011\\0\"").text, std::string("BA1\0", 4));
  EXPECT_EQ(first_token("'\\?'").value, 0x5c3fu);
}

TEST(Lexer, BackslashNewlineIsNotBlankAtTopLevel) {
  EXPECT_EQ(first_token("\\\na", LexMode::Outer).kind, TokenKind::OuterWord);
}

TEST(Lexer, ClosingSlashHasTheLineOfTheNextToken) { EXPECT_EQ(first_token("/\n\n{", LexMode::Predicate).line, 3u); }

TEST(Lexer, KeywordsAreNamesAfterADot) {
  EXPECT_EQ(first_token("string").kind, TokenKind::KeyString);
  EXPECT_EQ(first_token("string", LexMode::Member).kind, TokenKind::Identifier);
}

TEST(Lexer, ScopingMarksArePartOfTheWord) {
  EXPECT_EQ(tokens("`a m`b ``c o``d 9p`e libc.so.6``f x.y"), "`a m`b ``c o``d 9p`e libc.so.6``f x . y");
}

TEST(Lexer, OuterWordsRunOverSpecifierCharacters) {
  EXPECT_EQ(tokens("syscall::r*[a-z]?:entry,\\x:$1 {", LexMode::Outer), "syscall::r*[a-z]?:entry , \\x:$1 {");
  EXPECT_EQ(tokens("12,0x1f", LexMode::Outer), "12 , 0x1f");
}

TEST(Lexer, CharacterConstantsAreBigEndian) {
  EXPECT_EQ(first_token("'ab'").value, 0x6162u);
  EXPECT_EQ(first_token("'\\377'").value, 255u);
  EXPECT_EQ(first_token("'\\''").value, 0x5c27u);
  EXPECT_EQ(first_token("'\"'").value, static_cast<uint64_t>('"'));
  EXPECT_EQ(first_token("'abcd'").int_type, IntLiteralType::Int);
  EXPECT_EQ(first_token("'abcde'").int_type, IntLiteralType::Long);
}

TEST(Lexer, RejectsBadCharactersAndStrings) {
  EXPECT_EQ(tokens("''"), " D_CHR_NULL");
  EXPECT_EQ(tokens("'123456789'"), " D_CHR_OFLOW");
  EXPECT_EQ(tokens("'a\n'"), " D_CHR_NL");
  EXPECT_EQ(tokens("\"a\n\""), " D_STR_NL");
  EXPECT_EQ(tokens("\"a"), " D_SYNTAX");
}

TEST(Lexer, FloatingConstantsAreRejected) {
  for (const char* text : {"1.5", ".5", "1e3", "1E-3"}) EXPECT_EQ(tokens(text), " D_SYNTAX") << text;
}

TEST(Lexer, AggregationNamesFollowTheirMarkDirectly) {
  EXPECT_EQ(first_token("@self").text, "self");
  EXPECT_EQ(first_token("@ a").text, "_");
  EXPECT_EQ(tokens("@a[@ b]"), "@a [ @ b ]");
}

TEST(Lexer, ControlLinesNeedTheirNewline) {
  EXPECT_EQ(first_token(" # line 3\n").kind, TokenKind::ControlLine);
  EXPECT_EQ(tokens("# line 3"), " D_SYNTAX");
  EXPECT_EQ(tokens("a # b"), "a # b");
}

TEST(Lexer, LinesAreCounted) {
  EXPECT_EQ(first_token("\n\n a").line, 3u);
  EXPECT_EQ(first_token("\"a\\\nb\"").line, 2u);
}

TEST(Lexer, ProcessTypesAreOneToken) {
  EXPECT_EQ(tokens("pid12`foo *p"), "pid12`foo * p");
  EXPECT_EQ(tokens("struct pid$target`foo*"), "struct pid$target`foo *");
  EXPECT_EQ(tokens("pid$1`libstdc++.so.6`std::string x"), "pid$1`libstdc++.so.6`std::string x");
  EXPECT_EQ(tokens("pid`ns::Box<std::pair<int, long> >::Kind)"), "pid`ns::Box<std::pair<int, long> >::Kind )");
  EXPECT_EQ(tokens("xlate <pid1`a *>(x)"), "xlate < pid1`a * > ( x )");
  // Text that is not a process type is split as usual.
  EXPECT_EQ(tokens("pid$target a"), "pid $target a");
  EXPECT_EQ(tokens("pid1 < 2"), "pid1 < 2");
  EXPECT_EQ(tokens("pid_t`x y"), "pid_t`x y");
  EXPECT_EQ(tokens("pid1``main c ? d : e"), "pid1``main c ? d : e");
}

}  // namespace
}  // namespace dscope
