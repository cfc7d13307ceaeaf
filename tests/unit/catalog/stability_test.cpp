// Stability attributes and versions (d-language.md 11).
#include "catalog/stability.h"

#include <gtest/gtest.h>

#include "catalog/version.h"

namespace dscope {
namespace {

constexpr Attributes stable{Stability::Stable, Stability::Stable, DependencyClass::Common};

TEST(Attributes, AreParsedInAnyCase) {
  EXPECT_EQ(parse_attributes("Stable/Stable/Common"), stable);
  EXPECT_EQ(parse_attributes("eVolving/PRIVATE/isa"),
            (Attributes{Stability::Evolving, Stability::Private, DependencyClass::Isa}));
}

TEST(Attributes, MissingFieldsAreTheHighest) {
  EXPECT_EQ(parse_attributes("Private"),
            (Attributes{Stability::Private, Stability::Standard, DependencyClass::Common}));
  EXPECT_EQ(parse_attributes("Private/External"),
            (Attributes{Stability::Private, Stability::External, DependencyClass::Common}));
}

TEST(Attributes, MalformedTextIsRejected) {
  for (const char* bad : {"", "/", "Stable/", "/Stable", "Common", "Stable/Common", "Stable/Stable/Stable",
                          "Stable/Stable/", "Stable/Stable/Common/", "Stable Stable Common", "Stabl"})
    EXPECT_EQ(parse_attributes(bad), std::nullopt) << bad;
}

TEST(Attributes, CombineFieldByField) {
  Attributes a{Stability::Stable, Stability::Private, DependencyClass::Common};
  Attributes b{Stability::Evolving, Stability::Stable, DependencyClass::Isa};
  EXPECT_EQ(minimum(a, b), (Attributes{Stability::Evolving, Stability::Private, DependencyClass::Isa}));
  EXPECT_FALSE(satisfies(a, b));
  EXPECT_FALSE(satisfies(b, a));
  EXPECT_TRUE(satisfies(stable, a));
  EXPECT_EQ(to_string(b), "Evolving/Stable/ISA");
}

TEST(Versions, AreParsedAndCompared) {
  EXPECT_EQ(*parse_version("1.2"), (Version{1, 2, 0}));
  EXPECT_EQ(*parse_version("255.4095.4095"), (Version{255, 4095, 4095}));
  EXPECT_LT(*parse_version("1.6.4"), *parse_version("2.0"));
  for (const char* bad : {"", "1", "1.", ".1", "1.2.", "1.2.3.4", "256.0", "1.4096", "1.-2", "1.2x", " 1.2", "1.+2"})
    EXPECT_FALSE(parse_version(bad).has_value()) << bad;
}

TEST(Versions, OnlyReleasedVersionsAreAccepted) {
  for (const char* good : {"1.0", "1.1", "1.2", "1.2.1", "1.2.2", "1.3", "1.4", "1.4.1", "1.5", "1.6", "1.6.1", "1.6.2",
                           "1.6.3", "1.6.4", "2.0"})
    EXPECT_TRUE(is_released(*parse_version(good))) << good;
  EXPECT_TRUE(is_released(latest_version));
  for (const char* bad : {"0.9", "1.2.3", "1.7", "3.0"}) EXPECT_FALSE(is_released(*parse_version(bad))) << bad;
}

TEST(Versions, NamesHaveTheVersionThatIntroducedThem) {
  EXPECT_EQ(version_of("strstr"), (Version{1, 1, 0}));
  EXPECT_EQ(version_of("ntohll"), (Version{1, 3, 0}));
  EXPECT_EQ(version_of("llquantize"), (Version{1, 6, 4}));
  EXPECT_EQ(version_of("execname"), (Version{1, 0, 0}));
  EXPECT_EQ(version_of(""), (Version{1, 0, 0}));
}

}  // namespace
}  // namespace dscope
