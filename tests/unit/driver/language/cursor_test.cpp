#include "driver/language/cursor.h"

#include <gtest/gtest.h>

#include "driver/language/document.h"

namespace dscope {
namespace {

// `|` marks the cursor. "KIND prefix".
std::string cursor_of(std::string text) {
  constexpr std::string_view kinds[] = {"nothing",     "description", "member", "name",   "type",
                                        "aggregation", "macro",       "pragma", "option", "value"};
  size_t at = text.find('|');
  text.erase(at, 1);
  Cursor cursor = find_cursor(text, static_cast<uint32_t>(at));
  std::string result = std::string(kinds[static_cast<size_t>(cursor.kind)]) + " " + cursor.prefix;
  for (size_t i = 0; i < static_cast<size_t>(cursor.field); ++i) result += " <" + cursor.fields[i] + ">";
  if (cursor.call) result += " " + cursor.call->function + "#" + std::to_string(cursor.call->argument);
  return result;
}

TEST(Cursor, KnowsDescriptions) {
  EXPECT_EQ(cursor_of("|"), "description ");
  EXPECT_EQ(cursor_of("sys|"), "description sys");
  EXPECT_EQ(cursor_of("syscall::op|en:entry { }"), "description op <syscall> <>");
  EXPECT_EQ(cursor_of("BEGIN { }\nsyscall::open:|"), "description  <syscall> <> <open>");
  EXPECT_EQ(cursor_of("int x;\nin|"), "description in");
  EXPECT_EQ(cursor_of("BEGIN |"), "nothing ");
}

TEST(Cursor, KnowsNames) {
  EXPECT_EQ(cursor_of("BEGIN { ex|"), "name ex");
  EXPECT_EQ(cursor_of("BEGIN { x = 1; | }"), "name ");
  EXPECT_EQ(cursor_of("BEGIN /pi|"), "name pi");
  EXPECT_EQ(cursor_of("BEGIN { args[0]->b_|"), "member b_");
  EXPECT_EQ(cursor_of("BEGIN { self->|"), "member ");
  EXPECT_EQ(cursor_of("BEGIN { @to|"), "aggregation to");
  EXPECT_EQ(cursor_of("BEGIN { x = $ta|"), "macro ta");
  EXPECT_EQ(cursor_of("BEGIN { x = 12|"), "nothing 12");
  EXPECT_EQ(cursor_of("inline psi|"), "type psi");
  EXPECT_EQ(cursor_of("BEGIN { x = (struct ta|"), "type ta");
}

TEST(Cursor, KnowsCommentsAndStrings) {
  EXPECT_EQ(cursor_of("BEGIN { /* ab|"), "nothing ");
  EXPECT_EQ(cursor_of("BEGIN { // ab|"), "nothing ");
  EXPECT_EQ(cursor_of("// ab\n|"), "description ");
  EXPECT_EQ(cursor_of("BEGIN { printf(\"ab|"), "nothing  printf#0");
}

TEST(Cursor, KnowsPragmas) {
  EXPECT_EQ(cursor_of("#pragma D |"), "pragma ");
  EXPECT_EQ(cursor_of("#pragma D option |"), "option ");
  EXPECT_EQ(cursor_of("#pragma D option qu|iet\n"), "option qu");
  EXPECT_EQ(cursor_of("#pragma D option bufpolicy=r|"), "value r");
}

TEST(Cursor, KnowsCalls) {
  EXPECT_EQ(cursor_of("BEGIN { @ = lquantize(arg0, f(1, 2), |"), "name  lquantize#2");
  EXPECT_EQ(cursor_of("BEGIN { printf(\"%d\", x); | }"), "name ");
}

TEST(Cursor, ClosesTheText) {
  auto closed = [](std::string text) {
    size_t at = text.find('|');
    text.erase(at, 1);
    return close_text(text, static_cast<uint32_t>(at), "m");
  };
  EXPECT_EQ(closed("a:b:c:d { x = f(y[args[0]->|] }"), "a:b:c:d { x = f(y[args[0]->m]);}\n");
  EXPECT_EQ(closed("a:b:c:d /args[0]->|x/ { }"), "a:b:c:d /args[0]->m/ { }\n");
  EXPECT_EQ(closed("BEGIN { } END { @[args[0]->|"), "BEGIN { } END { @[args[0]->m] = count();}\n");
}

TEST(Document, PositionsCountUtf16) {
  Document document("/a.d", "x\n\"\xc3\xa4\xf0\x9f\x98\x80\" y\n");
  EXPECT_EQ(document.offset_of({1, 4}), 9u);
  EXPECT_EQ(document.position_of(9), (EditorPosition{1, 4}));
  EXPECT_EQ(document.offset_of({1, 99}), 12u);
  EXPECT_EQ(document.offset_of({99, 0}), 13u);
  document.edit({0, 0}, {1, 0}, "");
  EXPECT_EQ(document.text(), "\"\xc3\xa4\xf0\x9f\x98\x80\" y\n");
  EXPECT_EQ(path_of_uri("file:///a%20b.d"), "/a b.d");
  EXPECT_EQ(uri_of_path("/a b.d"), "file:///a%20b.d");
}

}  // namespace
}  // namespace dscope
