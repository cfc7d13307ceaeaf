#include "parse_text.h"

namespace dscope {
namespace {

TEST(ControlLine, PragmasBecomeNodesInSourceOrder) {
  ParsedText parsed(
      "#pragma D option quiet\nBEGIN { }\n#pragma D attributes Stable/Stable/Common x\n#pragma D binding \"1.5\" x\n"
      "#pragma D depends_on provider p\n");
  ASSERT_FALSE(parsed.failed()) << parsed.message();
  ASSERT_EQ(parsed.externals().size(), 5u);
  EXPECT_EQ(parsed.external<Pragma>(0).words, (std::vector<std::string>{"option", "quiet"}));
  EXPECT_EQ(parsed.external<Pragma>(3).words, (std::vector<std::string>{"binding", "1.5", "x"}));
  EXPECT_EQ(parsed.applied_options(), "quiet;");
}

TEST(ControlLine, MayAppearInsideAClause) {
  ParsedText parsed("BEGIN\n{ trace(1 +\n#pragma D option strsize=10\n2); }\n");
  ASSERT_FALSE(parsed.failed()) << parsed.message();
  EXPECT_EQ(parsed.applied_options(), "strsize=10;");
  EXPECT_TRUE(std::holds_alternative<Pragma>(parsed.externals()[0].form));
}

TEST(ControlLine, RejectsBadOptions) {
  EXPECT_EQ(message_of("#pragma D option nosuch=3\n"), "failed to set option 'nosuch' to '3': Invalid option name");
  EXPECT_EQ(tag_of("#pragma D option nosuch\n"), "D_PRAGMA_OPTSET");
  EXPECT_EQ(tag_of("#pragma D option\n"), "D_PRAGMA_MALFORM");
  EXPECT_EQ(tag_of("#pragma D option quiet more\n"), "D_PRAGMA_MALFORM");
  EXPECT_EQ(tag_of("#pragma D option a = b\n"), "D_PRAGMA_MALFORM");
}

TEST(ControlLine, OptionsMayHaveQuotedValues) {
  ParsedText parsed("#pragma D option metric=\"@a help=Some words\"\nBEGIN { }\n");
  EXPECT_EQ(parsed.applied_options(), "metric=@a help=Some words;");
  EXPECT_EQ(tag_of("#pragma D option metric \"@a\"\n"), "D_PRAGMA_MALFORM");
}

TEST(ControlLine, HandlesOtherDirectives) {
  EXPECT_EQ(tag_of("#\n# ident \"x\"\n#pragma ident x\n#pragma once\n#pragma D ident x\nBEGIN {}"), "none");
  EXPECT_EQ(message_of("#error  one   two\n"), "#error: one two");
  EXPECT_EQ(tag_of("#pragma error x\n"), "D_PRAGERR");
  EXPECT_EQ(tag_of("#pragma D error x\n"), "D_PRAGERR");
  EXPECT_EQ(tag_of("#define X 1\n"), "D_PRAGCTL_INVAL");
  EXPECT_EQ(tag_of("#\"x\"\n"), "D_PRAGCTL_INVAL");
  EXPECT_EQ(tag_of("#pragma D nosuch\n"), "D_PRAGMA_INVAL");
  EXPECT_EQ(tag_of("#pragma D\n"), "D_PRAGMA_MALFORM");
  EXPECT_EQ(tag_of("#pragma D binding \"1.0\"\n"), "D_PRAGMA_MALFORM");
  EXPECT_EQ(tag_of("#line\n"), "D_PRAGMA_MALFORM");
  EXPECT_EQ(tag_of("#line 3 foo\n"), "D_PRAGMA_MALFORM");
  EXPECT_EQ(tag_of("# 3 \"foo\" x\n"), "D_PRAGMA_MALFORM");
  EXPECT_EQ(tag_of("#line 3 \"foo\n"), "D_STR_NL");
}

TEST(ControlLine, OnlyLibrariesDependOnLibraries) {
  EXPECT_EQ(tag_of("#pragma D depends_on library a.d\nBEGIN { }\n"), "D_PRAGMA_DEPEND");
  ParsedText library("#pragma D depends_on library a.d\n", {.kind = UnitKind::Library});
  EXPECT_FALSE(library.failed()) << library.message();
}

TEST(ControlLine, DependenciesAreFoundWithoutParsing) {
  SourceUnit unit{.kind = UnitKind::Library,
                  .name = "a.d",
                  .text =
                      "/* \n#pragma D depends_on library no.d\n*/ int int 'x\n"
                      "  #pragma D depends_on library one.d\n"
                      "#pragma D depends_on provider syscall\n#pragma D depends_on library\n"
                      "BEGIN { \"/*\" '\"' \"\\\"\n#pragma D depends_on library \"two.d\"\n // /*\n@$#\n"
                      "x #pragma D depends_on library no.d\n#pragma D depends_on library \"no.d\n"
                      "#pragma D depends_on library three.d\n#pragma D depends_on library no_newline.d"};
  EXPECT_EQ(library_dependencies(unit), (std::vector<std::string>{"one.d", "two.d", "three.d"}));
}

TEST(ControlLine, SetsLineNumbersAndFiles) {
  for (const char* directive : {"#line 10 \"other.h\"", "# 10 \"other.h\" 1 3", "#pragma line 10 \"other.h\"",
                                "#pragma D line 10 \"other.h\""}) {
    ParsedText parsed(std::string("BEGIN { }\n") + directive + "\nBEGIN { ] }\n");
    ASSERT_TRUE(parsed.failed());
    EXPECT_EQ(parsed.error_line(), 10u) << directive;
    EXPECT_EQ(parsed.diagnostics().file_name(parsed.diagnostics().first().at.file), "other.h");
  }
  ParsedText back("# 1 \"a.h\"\n# 1 \"/dev/stdin\"\n\nBEGIN { ] }\n");
  EXPECT_EQ(back.error_line(), 2u);
  EXPECT_EQ(back.diagnostics().first().at.file, 0u);
}

TEST(ControlLine, FlagsMarkHeaders) {
  ParsedText parsed(
      "int a;\n# 1 \"x.h\" 1\nint b;\n# 1 \"y.h\" 1 3\nint c;\n# 2 \"x.h\" 2\nint d;\n# 2 \"/dev/stdin\" 2\n"
      "int e;\n# 9 \"/dev/stdin\" 2\nint f;\n#line 3 \"z.h\" 1\nint g;\n");
  ASSERT_EQ(parsed.tag(), "D_EMPTY");  // only declarations, but the flags are set
  std::string in_header;
  for (const External& external : parsed.externals()) in_header += external.in_header ? 'h' : 's';
  EXPECT_EQ(in_header, "shhhssh");
}

TEST(ControlLine, ConstructBelongsToTheFileOfItsFirstToken) {
  // The lexer reads the marker while the construct before it is still being parsed.
  ParsedText parsed("int\n# 1 \"x.h\" 1\na;\n# 2 \"/dev/stdin\" 2\nBEGIN { }\n");
  ASSERT_FALSE(parsed.failed()) << parsed.message();
  EXPECT_FALSE(parsed.externals()[0].in_header);
  EXPECT_FALSE(parsed.externals()[1].in_header);
}

TEST(ControlLine, CDirectivesGetAHint) {
  for (const char* text : {"#include <x.h>\n", "#define X 1\n", "# ifdef X\n", "#endif\n"})
    EXPECT_EQ(ParsedText(text).diagnostics().first().hint, "pass -C to run the C preprocessor on the script") << text;
  EXPECT_EQ(ParsedText("#nonsense\n").diagnostics().first().hint, "write comments between `/*` and `*/`");
  EXPECT_NE(ParsedText("#if 1\n", {.kind = UnitKind::String}).diagnostics().first().hint.find("-s"), std::string::npos);
}

}  // namespace
}  // namespace dscope
