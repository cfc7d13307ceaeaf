#include "runtime/providers/signatures.h"

#include <gtest/gtest.h>

namespace dscope {
namespace {

TEST(Signatures, MatchEquivalentSpellings) {
  constexpr const char* text = "shop::f(char const*, unsigned int)";
  for (const char* pattern : {"shop::f(char const*, unsigned int)", "shop::f(const char*,unsigned int)",
                              "shop::f( const char * , unsigned int )", "shop::f", "shop::f(*)", "*::f(*unsigned int)"})
    EXPECT_TRUE(signature_matches(pattern, text)) << pattern;
  for (const char* pattern :
       {"shop::f(char*, unsigned int)", "shop::f()", "shop::f(const char*)", "f(int)", "shop::ff"})
    EXPECT_FALSE(signature_matches(pattern, text)) << pattern;
}

TEST(Signatures, MatchSourceNamesOfLibraryTypes) {
  constexpr const char* text =
      "shop::Cart::add(std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char>> const&, "
      "std::vector<int, std::allocator<int>> const&) const";
  for (const char* pattern :
       {"shop::Cart::add(std::string const&, std::vector<int> const&)",
        "shop::Cart::add(const std::string &, const std::vector<int> &) const",
        "shop::Cart::add(std::basic_string<char, std::char_traits<char>, std::allocator<char> > const&, "
        "std::vector<int, std::allocator<int> > const&)",
        "shop::Cart::add"})
    EXPECT_TRUE(signature_matches(pattern, text)) << pattern;
  EXPECT_FALSE(signature_matches("shop::Cart::add(std::string const&)", text));
}

TEST(Signatures, MatchNestedBrackets) {
  EXPECT_TRUE(signature_matches("(anonymous namespace)::work(int)", "(anonymous namespace)::work(int)"));
  EXPECT_TRUE(signature_matches("Call::operator()(int)", "Call::operator()(int) const"));
  EXPECT_TRUE(signature_matches("twice<int>", "twice<int>(int)"));
  EXPECT_TRUE(signature_matches("each(void (*)(int), int)", "each(void (*)(int), int)"));
  EXPECT_FALSE(signature_matches("twice<int>", "twice<long>(long)"));
}

}  // namespace
}  // namespace dscope
