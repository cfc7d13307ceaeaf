#include "driver/language/outline.h"

#include <gtest/gtest.h>

namespace dscope {
namespace {

// The definitions as "KIND NAME" lines.
std::string definitions_of(const std::string& text) {
  constexpr std::string_view kinds[] = {"clause",     "inline",   "typedef",    "struct",  "enum",
                                        "enumerator", "member",   "translator", "tmember", "provider",
                                        "probe",      "variable", "self",       "this",    "@"};
  Scan scanned = scan(text, OnBrokenText::Skip);
  std::string result;
  for (const Definition& definition : find_definitions(scanned))
    result += std::string(kinds[static_cast<size_t>(definition.kind)]) + " " + definition.name + "; ";
  return result;
}

TEST(Outline, FindsDeclarations) {
  EXPECT_EQ(definitions_of("inline int max[int a, int b] = a > b ? a : b; typedef struct foo { int x, y[2]; } foo_t;"),
            "inline max; struct foo; member x; member y; typedef foo_t; ");
  EXPECT_EQ(definitions_of("enum color { RED = 1, GREEN }; self int *depth; this string s; int total[string];"),
            "enum color; enumerator RED; enumerator GREEN; self depth; this s; variable total; ");
  EXPECT_EQ(definitions_of("translator out_t < struct task_struct *T > { a = T->x; b = xlate <in_t> (T)->y; };"),
            "translator out_t; tmember a; tmember b; ");
  EXPECT_EQ(definitions_of("provider shop { probe order(int); probe cancel(); };"),
            "provider shop; probe order; probe cancel; ");
}

TEST(Outline, FindsClausesAndAssignedVariables) {
  EXPECT_EQ(definitions_of("a:b:c:d, BEGIN /x/ { self->t = 1; this->u = 2; v[pid, 3] = 4; @w[v[1, 2]] = count(); "
                           "self->t = 5; }\nEND { @w; }"),
            "clause a:b:c:d, BEGIN; self t; this u; variable v; @ w; clause END; ");
}

TEST(Outline, AcceptsTextThatIsBeingTyped) {
  EXPECT_EQ(definitions_of("BEGIN { x = 1; y = \nsyscall::open:entry { z = 2; }"),
            "clause BEGIN; variable x; variable y; clause syscall::open:entry; variable z; ");
  for (const char* text :
       {"inline", "typedef", "translator", "translator x <", "provider", "struct {", "enum e {", "self", "@", "}", "{"})
    definitions_of(text);
}

TEST(Outline, FindsTheCommentBefore) {
  std::string text = "/* not this */\n\n/* The largest\n * value. */\ninline int max = 3;\n";
  Scan scanned = scan(text, OnBrokenText::Skip);
  EXPECT_EQ(comment_before(scanned, find_definitions(scanned)[0].range), "The largest value.");
}

}  // namespace
}  // namespace dscope
