// The formatter: what it prints, and that it keeps every program of the tree.
#include "frontend/format/format.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "frontend/syntax/ast_print.h"
#include "tests/support/golden_files.h"
#include "tests/unit/frontend/syntax/parse_text.h"

namespace dscope {
namespace {

std::string formatted(std::string_view text) {
  auto result = format_source(text);
  return result ? *result : "error: " + result.error().message();
}

TEST(Format, ShortClausesStayOnOneLine) {
  EXPECT_EQ(formatted("BEGIN{x=1;y = 2 ;}"), "BEGIN { x = 1; y = 2; }\n");
  EXPECT_EQ(formatted("syscall::read:entry/pid==$target&&arg0/2>3/{@[execname]=count();}\n"),
            "syscall::read:entry /pid == $target && arg0 / 2 > 3/ { @[execname] = count(); }\n");
  EXPECT_EQ(formatted("tick-1s\n{ exit(0); }"), "tick-1s\n{ exit(0); }\n");
}

TEST(Format, LongerClausesHaveALineForEachStatement) {
  EXPECT_EQ(formatted("syscall::read:entry /arg0/ { x = 1;\ny = 2; }"),
            "syscall::read:entry\n/arg0/\n{\n  x = 1;\n  y = 2;\n}\n");
  EXPECT_EQ(formatted("BEGIN {\n\n\tx = 1; y = 2;\n\n\n\tz = 3;\n\n}\nEND { }"),
            "BEGIN\n{\n  x = 1;\n  y = 2;\n\n  z = 3;\n}\n\nEND { }\n");
}

TEST(Format, LineEndsInsideStatementsStay) {
  EXPECT_EQ(formatted("BEGIN\n{\nprintf(\"%d %d\\n\",\n pid,\n  x);\n}"),
            "BEGIN\n{\n  printf(\"%d %d\\n\",\n    pid,\n    x);\n}\n");
  EXPECT_EQ(formatted("a:b:c:d,\ne:f:g:h\n{\n  x = 1;\n}\n"), "a:b:c:d,\ne:f:g:h\n{\n  x = 1;\n}\n");
}

TEST(Format, OperatorsAndTypes) {
  EXPECT_EQ(formatted("BEGIN { x=-1-- - -y*  *p&&!z; }"), "BEGIN { x = -1-- - -y * *p && !z; }\n");
  EXPECT_EQ(formatted("BEGIN { x=(int)arg0; y=((struct foo*)arg1)->bar [3] .b; z = sizeof (char *)+1; }"),
            "BEGIN { x = (int)arg0; y = ((struct foo *)arg1)->bar[3].b; z = sizeof(char *) + 1; }\n");
  EXPECT_EQ(formatted("BEGIN { x = (foo_t*)arg0; y = a?b:c; ++z; z--; this->n+=2; }"),
            "BEGIN { x = (foo_t *)arg0; y = a ? b : c; ++z; z--; this->n += 2; }\n");
  EXPECT_EQ(formatted("BEGIN { a - --b; a & &b; a / *b; }"), "BEGIN { a - --b; a & &b; a / *b; }\n");
}

TEST(Format, Declarations) {
  EXPECT_EQ(formatted("inline   int   x=3*4;self int*y;foo_t*z [ int ] ;"),
            "inline int x = 3 * 4;\nself int *y;\nfoo_t *z[int];\n");
  EXPECT_EQ(formatted("struct s {\nint a:3;char*b;\nunion {int c;} d;\n};"),
            "struct s {\n  int a:3;\n  char *b;\n  union { int c; } d;\n};\n");
  EXPECT_EQ(formatted("enum e { A=1,\nB,C };"), "enum e {\n  A = 1,\n  B, C\n};\n");
  EXPECT_EQ(formatted("translator out<struct task*T> {\na=xlate<foo_t*>(T)->x;\n};"),
            "translator out < struct task *T > {\n  a = xlate <foo_t *> (T)->x;\n};\n");
}

TEST(Format, Conditions) {
  EXPECT_EQ(formatted("BEGIN\n{\nif(x){y=1;}else if(z){\ny=2;}\nelse\n{\ny=3;}\nif (a)\nb=1;\nelse c=2; }"),
            "BEGIN\n{\n  if (x) { y = 1; } else if (z) {\n    y = 2;\n  } else {\n    y = 3;\n  }\n"
            "  if (a)\n    b = 1;\n  else c = 2;\n}\n");
}

TEST(Format, CommentsStayWhereTheyAre) {
  EXPECT_EQ(formatted("/* one\n * two */\nBEGIN\n{\n      /* three\n       * four */\n  x = 1;// five\n  yy = 2;     "
                      "/* six */\n}\n"),
            "/* one\n * two */\nBEGIN\n{\n  /* three\n   * four */\n  x = 1;   // five\n  yy = 2;  /* six */\n}\n");
  EXPECT_EQ(formatted("BEGIN { /* a */ x = 1; }"), "BEGIN { /* a */ x = 1; }\n");
  EXPECT_EQ(formatted("BEGIN { x = 1 /* a */; }"), "BEGIN { x = 1 /* a */; }\n");
  EXPECT_EQ(formatted("int a;/* one */int b;"), "int a;  /* one */\nint b;\n");
  EXPECT_EQ(formatted("BEGIN { x = 1; /* one\n two */ y = 2; }"), "BEGIN\n{\n  x = 1; /* one\ntwo */\n  y = 2;\n}\n");
  EXPECT_EQ(formatted("#!/usr/sbin/dscope -s\n#pragma D option quiet  \n\n\n\nBEGIN{}"),
            "#!/usr/sbin/dscope -s\n#pragma D option quiet\n\nBEGIN { }\n");
}

TEST(Format, ControlLinesOfThePreprocessorAreKept) {
  EXPECT_EQ(formatted("#define F(a) \\\n\ta+1\nBEGIN\n{\n#ifdef A\nx=1;\n#else\nx=2;\n#endif\n}\n"),
            "#define F(a) \\\n\ta+1\nBEGIN\n{\n#ifdef A\n  x = 1;\n#else\n  x = 2;\n#endif\n}\n");
}

TEST(Format, BrokenTokensAreErrors) {
  EXPECT_EQ(formatted("BEGIN {\n  x = \"abc;\n}"), "error: line 2, column 7: newline in string constant");
  EXPECT_EQ(formatted(""), "");
}

// ---------------------------------------------------------------- all programs of the tree

std::string tree_of(const std::string& text) {
  ParsedText parsed(text, {.knows_every_type = true});
  return parsed.failed() ? "error " + parsed.tag() : dump_tree(parsed.program());
}

TEST(Format, KeepsTheTreeOfEveryProgram) {
  size_t formatted_count = 0;
  for (const char* folder : {"tools", "tests", "frontend/library", "packaging"}) {
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::filesystem::path(DSCOPE_ROOT) / folder)) {
      if (entry.path().extension() != ".d") continue;
      std::string text = read_file(entry.path());
      auto once = format_source(text);
      if (!once) {
        EXPECT_TRUE(tree_of(text).starts_with("error")) << entry.path() << ": " << once.error().message();
        continue;
      }
      ++formatted_count;
      EXPECT_EQ(formatted(*once), *once) << entry.path();
      // The formatter adds the newline without which a control line at the end is an error.
      EXPECT_EQ(tree_of(*once), tree_of(text.ends_with('\n') ? text : text + "\n")) << entry.path();
    }
  }
  EXPECT_GT(formatted_count, 1000u);
}

}  // namespace
}  // namespace dscope
