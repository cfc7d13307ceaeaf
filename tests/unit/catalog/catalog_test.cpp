// The catalog: lookup by name, unique names, and a line in the man page for every row.
#include "catalog/catalog.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "catalog/option_values.h"

namespace dscope {
namespace {

struct CatalogName {
  std::string kind, name;
  Release release;
};

std::vector<CatalogName> all_rows() {
  return {
#define DS_VARIABLE(id, name, type, context, task_member, bound, since, release) {"variable", name, Release::release},
#include "catalog/variables.def"
#undef DS_VARIABLE
#define DS_SUBROUTINE(id, name, prototype, effect, rule, context, machine_part, bound, since, release) \
  {"subroutine", name, Release::release},
#include "catalog/subroutines.def"
#undef DS_SUBROUTINE
#define DS_ACTION(id, name, prototype, effect, record, value, context, machine_part, since, release) \
  {"action", name, Release::release},
#include "catalog/actions.def"
#undef DS_ACTION
#define DS_AGGREGATION(id, name, prototype, merge, content, since) {"aggregation", name, Release::Now},
#include "catalog/aggregations.def"
#undef DS_AGGREGATION
  };
}

TEST(Catalog, FindsRowsByName) {
  ASSERT_NE(find_variable("execname"), nullptr);
  EXPECT_EQ(find_variable("execname")->id, BuiltinVariable::Execname);
  EXPECT_EQ(find_subroutine("strlen")->id, Subroutine::Strlen);
  EXPECT_EQ(find_action("printf")->id, Action::Printf);
  EXPECT_EQ(find_aggregation("quantize")->id, AggregationFunction::Quantize);
  EXPECT_EQ(find_variable("printf"), nullptr);
  EXPECT_EQ(row(Action::Ustack).name, "ustack");
  EXPECT_EQ(row(Subroutine::Toupper).name, "toupper");
}

TEST(Catalog, FindsRawArguments) {
  EXPECT_EQ(find_raw_argument("arg0"), 0U);
  EXPECT_EQ(find_raw_argument("arg9"), 9U);
  EXPECT_FALSE(find_raw_argument("arg10"));
  EXPECT_FALSE(find_raw_argument("args"));
}

TEST(Catalog, NamesAreUnique) {
  std::set<std::string> seen;
  for (const CatalogName& row : all_rows()) EXPECT_TRUE(seen.insert(row.name).second) << row.name;
}

TEST(Catalog, NearestNameForgivesTyposOnly) {
  EXPECT_EQ(nearest_name("execnam", all_names()), "execname");
  EXPECT_EQ(nearest_name("quantise", all_names()), "quantize");
  EXPECT_EQ(nearest_name("completely", all_names()), "");
}

TEST(Catalog, EveryAvailableRowIsInTheManPage) {
  std::ifstream file(DSCOPE_ROOT "/man/reference.txt");
  ASSERT_TRUE(file) << "man/reference.txt";
  std::set<std::string> described;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string kind, name, bar, text;
    words >> kind >> name >> bar;
    std::getline(words, text);
    if (bar != "|") continue;
    EXPECT_GT(text.size(), 10U) << line;
    described.insert(kind + " " + name);
  }
  for (const CatalogName& row : all_rows()) {
    bool needs_text = row.release == Release::Now;
    EXPECT_EQ(described.erase(row.kind + " " + row.name) == 0 && needs_text, false)
        << "man/reference.txt has no line `" << row.kind << " " << row.name << " | ...`";
  }
  EXPECT_TRUE(described.empty()) << "described, but src/catalog has no such row: " << *described.begin();
}

TEST(Catalog, EveryOptionHasHelp) {
  for (std::string_view name : all_option_names()) {
    EXPECT_GE(find_option(name)->help.size(), 8U) << name;
    EXPECT_EQ(row(find_option(name)->id).name, name);
  }
}

}  // namespace
}  // namespace dscope
