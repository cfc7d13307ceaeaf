// Names in the headers that -h writes. End-to-end tests cover the behavior of the macros.
#include "driver/usdt/usdt_header.h"

#include <gtest/gtest.h>

namespace dscope::test {
namespace {

DefinedProvider provider_with(std::string probe, std::vector<DefinedArgument> input) {
  return {.name = "test_prov",
          .attributes = {},
          .probes = {{.name = std::move(probe), .input = std::move(input), .view = {}}}};
}

std::string header_of(const DefinedProvider& provider) {
  auto text = usdt_header({&provider, 1}, "my-probes+1.h");
  return text ? *text : text.error().message();
}

TEST(UsdtHeader, MacrosHaveUppercaseNames) {
  std::string text = header_of(provider_with("go-now", {{.type_text = "int", .base_text = "int", .size = 4}}));
  EXPECT_NE(text.find("#define\tTEST_PROV_GO_NOW(arg0) "), std::string::npos) << text;
  EXPECT_NE(text.find("#define\tTEST_PROV_GO_NOW_ENABLED() "), std::string::npos);
  EXPECT_NE(text.find("(test_prov, go__now, test_prov_go__now_semaphore,"), std::string::npos);
  EXPECT_NE(text.find("#ifndef\t_MY_PROBES_1_H\n"), std::string::npos);
  // If probes are disabled, the macros are empty.
  EXPECT_NE(text.find("#define\tTEST_PROV_GO_NOW(arg0) do { } while (0)\n#define\tTEST_PROV_GO_NOW_ENABLED() (0)"),
            std::string::npos);
}

TEST(UsdtHeader, ProbesWithoutArgumentsTakeNone) {
  EXPECT_NE(header_of(provider_with("zero", {})).find("#define\tTEST_PROV_ZERO() "), std::string::npos);
}

TEST(UsdtHeader, ArgumentsHaveTheWidthOfTheirType) {
  auto has = [](DefinedArgument argument, std::string_view operand) {
    return header_of(provider_with("go", {std::move(argument)})).find(operand) != std::string::npos;
  };
  EXPECT_TRUE(has({.type_text = "int64_t", .base_text = "long", .size = 8}, "VALUE(0, long long, arg0)"));
  EXPECT_TRUE(has({.type_text = "size_t", .base_text = "unsigned long", .form = ArgumentForm::Unsigned, .size = 8},
                  "VALUE(0, unsigned long, arg0)"));
  EXPECT_TRUE(has({.type_text = "char", .base_text = "char", .size = 1}, "VALUE(0, signed char, arg0)"));
  EXPECT_TRUE(has({.type_text = "string", .form = ArgumentForm::String}, "VALUE(0, const volatile void *, arg0)"));
  EXPECT_TRUE(has({.type_text = "double", .form = ArgumentForm::Float}, "BITS(0, double, unsigned long long, arg0)"));
}

TEST(UsdtHeader, PointerArgumentsClobberMemory) {
  std::string_view clobber = " : \"memory\")";
  EXPECT_NE(header_of(provider_with("go", {{.form = ArgumentForm::Pointer}})).find(clobber), std::string::npos);
  EXPECT_EQ(header_of(provider_with("go", {{.base_text = "int", .size = 4}})).find(clobber), std::string::npos);
}

TEST(UsdtHeader, UnsupportedArgumentsAreRejected) {
  EXPECT_EQ(header_of(provider_with("go", {{.type_text = "struct foo", .form = ArgumentForm::Other}})),
            "argument 0 of probe test_prov:::go has type struct foo: only numbers and pointers are supported");
  EXPECT_EQ(header_of(provider_with("go", std::vector<DefinedArgument>(13))),
            "probe test_prov:::go has 13 arguments: at most 12 are supported");
}

}  // namespace
}  // namespace dscope::test
