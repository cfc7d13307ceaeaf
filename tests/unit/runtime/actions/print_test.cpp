// print() of values that D types cannot produce in end-to-end tests, and tracemem() (consumer-and-actions.md 3.4, 3.7).
#include "tests/unit/runtime/output/output_fixture.h"

namespace dscope::test {
namespace {

class PrintTest : public OutputTest {
 protected:
  PrintTest() { set(OptionId::Quiet); }

  int32_t type(PrintedType printed) {
    plan.printed_types.push_back(std::move(printed));
    return static_cast<int32_t>(plan.printed_types.size() - 1);
  }
  int32_t integer(const char* name, uint64_t size, bool is_signed = true) {
    return type({.kind = PrintedKind::Integer, .name = name, .size = size, .is_signed = is_signed});
  }
  int32_t object(const char* name, uint64_t size, std::vector<PrintedMember> members) {
    return type({.kind = PrintedKind::Object, .name = name, .size = size, .members = std::move(members)});
  }
  // The lines of a value, without their common indentation.
  std::string printed(int32_t printed_type, std::string bytes) {
    CannedClause canned = clause();
    Field field = canned.layout.raw(std::move(bytes));
    field.printed_type = printed_type;
    canned.action(Action::Print, {field});
    std::string text = print(canned);
    EXPECT_TRUE(text.starts_with("\n"));
    text.erase(0, 1);
    for (size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
      EXPECT_EQ(text.substr(at, margin.size()), margin);
      text.erase(at, margin.size());
    }
    return text;
  }

  const std::string margin = std::string(44, ' ');
};

class CompactPrintTest : public PrintTest {
 protected:
  CompactPrintTest() { EXPECT_TRUE(plan.options.set("printform", "compact", true, OptionOrigin::CommandLine)); }

  std::string compact(int32_t printed_type, std::string bytes) {
    CannedClause canned = clause();
    Field field = canned.layout.raw(std::move(bytes));
    field.printed_type = printed_type;
    canned.action(Action::Print, {field});
    return print(canned);
  }
  int32_t point() {
    int32_t number = integer("int", 4);
    return object("struct point", 8, {{.name = "x", .type = number}, {.name = "y", .type = number, .bit_offset = 32}});
  }
};

TEST_F(CompactPrintTest, ObjectsTakeOneLineWhereTheyFit) {
  EXPECT_EQ(compact(point(), std::string("\x01\0\0\0\xfe\xff\xff\xff", 8)), "(struct point) {.x = 1, .y = -2}\n");
  EXPECT_EQ(compact(point(), std::string(8, '\0')), "(struct point) {}\n");
}

TEST_F(CompactPrintTest, ArraysOfCharactersAreTexts) {
  int32_t character =
      type({.kind = PrintedKind::Integer, .name = "char", .size = 1, .is_signed = true, .is_char = true});
  int32_t name = type({.kind = PrintedKind::Array, .name = "char [8]", .size = 8, .element = character, .count = 8});
  int32_t numbers =
      type({.kind = PrintedKind::Array, .name = "int [4]", .size = 16, .element = integer("int", 4), .count = 4});
  int32_t pointer = type({.kind = PrintedKind::Pointer, .name = "void *", .size = 8});
  int32_t kind = type({.kind = PrintedKind::Enum, .name = "enum kind", .size = 4, .enumerators = {{"SECOND", 2}}});
  int32_t flags = type({.kind = PrintedKind::Enum,
                        .name = "int",
                        .size = 4,
                        .enumerators = {{"WRITE", 1}, {"READ", 0}, {"CREATE", 8}},
                        .is_flag_set = true});
  int32_t all = object("struct all", 48,
                       {{.name = "name", .type = name},
                        {.name = "numbers", .type = numbers, .bit_offset = 64},
                        {.name = "next", .type = pointer, .bit_offset = 192},
                        {.name = "kind", .type = kind, .bit_offset = 256},
                        {.name = "flags", .type = flags, .bit_offset = 288},
                        {.name = "c", .type = character, .bit_offset = 320}});
  std::string bytes(48, '\0');
  bytes.replace(0, 2, "ok");
  bytes[12] = 5;
  bytes[24] = 0x10;
  bytes[32] = 2;
  bytes[36] = 0x18;
  bytes[40] = 'x';
  EXPECT_EQ(compact(all, bytes),
            "(struct all) {\n"
            "  .name = \"ok\",\n"
            "  .numbers = [0, 5],\n"
            "  .next = 0x10,\n"
            "  .kind = SECOND,\n"
            "  .flags = READ|CREATE|0x10,\n"
            "  .c = 'x',\n"
            "}\n");
}

// An enum of Rust: the discriminant selects the variant.
TEST_F(CompactPrintTest, OnlyTheSelectedVariantIsShown) {
  int32_t tag = integer("u16", 2, false), radius = integer("u32", 4, false);
  int32_t empty = object("struct Empty", 8, {});
  int32_t circle = object("struct Circle", 8, {{.name = "__0", .type = radius, .bit_offset = 32}});
  int32_t shape = type({.kind = PrintedKind::Object,
                        .name = "struct Shape",
                        .size = 8,
                        .members = {{.name = "discriminant", .type = tag},
                                    {.name = "Empty", .type = empty},
                                    {.name = "Circle", .type = circle}},
                        .enumerators = {{"Empty", 0}},
                        .shows_zeros = true});
  EXPECT_EQ(compact(shape, std::string(8, '\0')), "(struct Shape) {.Empty = {}}\n");
  EXPECT_EQ(compact(shape, std::string("\3\0\0\0\7\0\0\0", 8)), "(struct Shape) {.Circle = {.__0 = 7}}\n");
}

TEST_F(CompactPrintTest, VectorsShowTheirElements) {
  int32_t number = integer("int", 4), size = integer("size_t", 8, false);
  int32_t vector = type({.kind = PrintedKind::Object,
                         .name = "struct vector<int>",
                         .size = 16,
                         .count = 1,
                         .members = {{.name = "size", .type = size},
                                     {.name = "[0]", .type = number, .bit_offset = 64},
                                     {.name = "[1]", .type = number, .bit_offset = 96}},
                         .enumerators = {{"[0]", 0}, {"[1]", 1}},
                         .shows_zeros = true});
  EXPECT_EQ(compact(vector, std::string("\1\0\0\0\0\0\0\0\0\0\0\0\5\0\0\0", 16)),
            "(struct vector<int>) {.size = 1, [0] = 0}\n");
  EXPECT_EQ(compact(vector, std::string(16, '\0')), "(struct vector<int>) {.size = 0}\n");
}

TEST_F(CompactPrintTest, PointersPrecedeTheirObjects) {
  CannedClause canned = clause();
  Field pointer = canned.layout.integer(uint64_t{0x1234});
  Field value = canned.layout.integer(int32_t{-7});
  value.kind = FieldKind::Bytes;
  value.printed_type = integer("int", 4);
  canned.action(Action::Print, {pointer, value});
  EXPECT_EQ(print(canned), "*0x1234 = -7\n");
}

TEST_F(PrintTest, PointersAreShownWithTheirObjects) {
  CannedClause canned = clause();
  Field pointer = canned.layout.integer(uint64_t{0x1234});
  Field value = canned.layout.integer(int32_t{-7});
  value.kind = FieldKind::Bytes;
  value.printed_type = integer("int", 4);
  canned.action(Action::Print, {pointer, value});
  EXPECT_EQ(print(canned), "0x1234 = *\n" + margin + "(int)-7,\n");
}

TEST_F(PrintTest, NestingStopsAtTenLevels) {
  int32_t inner = object("struct leaf", 1, {{.name = "i", .type = integer("int8_t", 1)}});
  for (int i = 0; i < 12; ++i) inner = object("struct s", 1, {{.name = "m", .type = inner}});
  std::string text = printed(inner, "\x01");
  EXPECT_TRUE(text.starts_with("(struct s) {\n .m = (struct s) {\n"));
  EXPECT_NE(text.find("\n          ...\n         },\n"), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with(" },\n}\n"));
  EXPECT_EQ(text.find("leaf"), std::string::npos);
}

TEST_F(PrintTest, PrintsFlexibleArrays) {
  int32_t array = type({.kind = PrintedKind::Array, .name = "int []", .element = integer("int", 4)});
  EXPECT_EQ(printed(array, std::string(8, '\x01')), "(int []) [],\n");
  int32_t holder = object("struct s", 4, {{.name = "n", .type = 0}, {.name = "rest", .type = array, .bit_offset = 32}});
  EXPECT_EQ(printed(holder, std::string("\x05\0\0\0", 4)), "(struct s) {\n .n = (int)5,\n ...\n}\n");
}

TEST_F(PrintTest, PrintsIntegersWiderThan64Bits) {
  int32_t wide = integer("__int128", 16);
  EXPECT_EQ(printed(wide, std::string(16, '\x01')), "(__int128)?(128 bit value),\n");
}

TEST_F(PrintTest, PrintsBitFieldsAcrossNineBytes) {
  int32_t bits = integer("unsigned long", 8, false);
  int32_t holder = object("struct s", 16,
                          {{.name = "far", .type = bits, .bit_offset = 7, .bit_size = 63},
                           {.name = "none", .type = bits, .bit_offset = 70, .bit_size = 2}});
  EXPECT_EQ(printed(holder, "\x80" + std::string(7, '\0') + "\x01" + std::string(7, '\0')),
            "(struct s) {\n .far = (unsigned long)144115188075855873,\n}\n");
}

TEST_F(PrintTest, UnknownEnumeratorsAreNumbers) {
  PrintedType kinds{.kind = PrintedKind::Enum, .name = "enum e", .size = 4, .is_signed = true};
  kinds.enumerators = {{"LOW", 1}, {"HIGH", 0xffffffff}};
  int32_t kind = type(kinds);
  EXPECT_EQ(printed(kind, std::string("\x01\0\0\0", 4)), "(enum e)LOW,\n");
  EXPECT_EQ(printed(kind, "\xff\xff\xff\xff"), "(enum e)HIGH,\n");
  EXPECT_EQ(printed(kind, "\xfe\xff\xff\xff"), "(enum e)-2,\n");
}

TEST_F(PrintTest, ValuesWithoutTextAreOmitted) {
  int32_t nothing = type({.kind = PrintedKind::Nothing, .name = "double", .size = 8});
  int32_t holder = object("struct s", 8, {{.name = "d", .type = nothing}});
  EXPECT_EQ(printed(holder, std::string(8, '\x01')), "(struct s) {\n}\n");
}

TEST_F(PrintTest, TracememHonorsSizes) {
  auto dump = [&](auto... wanted) {
    CannedClause canned = clause();
    std::vector<Field> fields{canned.layout.raw("abcd")};
    (fields.push_back(canned.layout.integer(wanted)), ...);
    canned.action(Action::Tracemem, fields);
    return print(canned);
  };
  const std::string columns = "\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n";
  const std::string all = columns + "         0: 61 62 63 64                                      abcd\n";
  EXPECT_EQ(dump(), all);
  EXPECT_EQ(dump(int32_t{-1}), all);
  EXPECT_EQ(dump(uint8_t{255}), all);
  EXPECT_EQ(dump(int64_t{2}), columns + "         0: 61 62                                            ab\n");
  EXPECT_EQ(dump(int64_t{0}), "");
}

}  // namespace
}  // namespace dscope::test
