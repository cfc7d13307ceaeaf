#include "frontend/syntax/literal.h"

#include <gtest/gtest.h>

namespace dscope {
namespace {

IntLiteralType type_of(std::string_view text) {
  IntegerText integer = scan_integer(text);
  EXPECT_EQ(integer.length, text.size()) << text;
  EXPECT_EQ(integer.error, IntegerError::None) << text;
  return integer.type;
}

TEST(Integer, DecimalTakesTheFirstSignedTypeThatHoldsIt) {
  EXPECT_EQ(type_of("2147483647"), IntLiteralType::Int);
  EXPECT_EQ(type_of("2147483648"), IntLiteralType::Long);
  EXPECT_EQ(type_of("9223372036854775807"), IntLiteralType::Long);
  EXPECT_EQ(scan_integer("9223372036854775808").error, IntegerError::Overflow);
}

TEST(Integer, HexadecimalAndOctalMayBeUnsigned) {
  EXPECT_EQ(type_of("0x7fffffff"), IntLiteralType::Int);
  EXPECT_EQ(type_of("0xffffffff"), IntLiteralType::UnsignedInt);
  EXPECT_EQ(type_of("0x100000000"), IntLiteralType::Long);
  EXPECT_EQ(type_of("0x8000000000000000"), IntLiteralType::UnsignedLong);
  EXPECT_EQ(type_of("037777777777"), IntLiteralType::UnsignedInt);
}

TEST(Integer, SuffixesSelectTypes) {
  EXPECT_EQ(type_of("1u"), IntLiteralType::UnsignedInt);
  EXPECT_EQ(type_of("4294967296U"), IntLiteralType::UnsignedLong);
  EXPECT_EQ(type_of("1l"), IntLiteralType::Long);
  EXPECT_EQ(type_of("0x8000000000000000l"), IntLiteralType::UnsignedLong);
  EXPECT_EQ(type_of("1ULL"), IntLiteralType::UnsignedLongLong);
  EXPECT_EQ(type_of("1LL"), IntLiteralType::LongLong);
  EXPECT_EQ(type_of("1uL"), IntLiteralType::UnsignedLong);
}

TEST(Integer, SuffixOrderIsFixed) { EXPECT_EQ(scan_integer("1LU").length, 2u); }

TEST(Integer, ParsesAllBases) {
  EXPECT_EQ(scan_integer("42").value, 42u);
  EXPECT_EQ(scan_integer("052").value, 42u);
  EXPECT_EQ(scan_integer("0X2A").value, 42u);
  EXPECT_EQ(scan_integer("0").value, 0u);
  EXPECT_EQ(scan_integer("0xffffffffffffffff").value, UINT64_MAX);
}

TEST(Integer, RejectsMalformedNumbers) {
  EXPECT_EQ(scan_integer("0128").error, IntegerError::BadDigit);
  EXPECT_EQ(scan_integer("18446744073709551616").error, IntegerError::Overflow);
  EXPECT_EQ(scan_integer("0x10000000000000000").error, IntegerError::Overflow);
  EXPECT_EQ(scan_integer("x").length, 0u);
  EXPECT_EQ(scan_integer("").length, 0u);
}

TEST(Escapes, AreReplaced) {
  EXPECT_EQ(process_escapes(R"(\a\b\f\n\r\t\v\"\\)"), "\a\b\f\n\r\t\v\"\\");
  EXPECT_EQ(process_escapes(R"(\101\x42)"), "AB");
  EXPECT_EQ(process_escapes(R"(\0)"), std::string(1, '\0'));
  EXPECT_EQ(process_escapes(R"(\1234)"), "S4");
}

TEST(Escapes, HexadecimalTakesAllDigitsAndKeepsTheLowByte) { EXPECT_EQ(process_escapes(R"(\x12341)"), "A"); }

TEST(Escapes, UnknownEscapesKeepTheirBackslash) {
  EXPECT_EQ(process_escapes(R"(\?)"), "\\?");
  EXPECT_EQ(process_escapes(R"(\')"), "\\'");
  EXPECT_EQ(process_escapes(R"(\xg)"), "\\xg");
  EXPECT_EQ(process_escapes("\\"), "\\");
}

}  // namespace
}  // namespace dscope
