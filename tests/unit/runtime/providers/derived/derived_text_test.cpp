// Parses files of derived probes, including every such file of the tree.
#include "runtime/providers/derived/derived_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "support/format.h"

namespace dscope {
namespace {

constexpr std::string_view sample_text = R"(// A file.
provider sample_text {
  probe one, two-three(int, struct sock * :
    csinfo_t *);  /* signature of both */
  probe four();
};

// ---- sites
sample_text:::one, sample_text:::two-three
  <- rawtp:::first [parameters 2..], otherwise fbt::second:entry [parameters 1..3, order 4, subject 2]
/args[0] != 0 /* not } yet */ && args[1] / 2 > 1/
{
  args[0];  // the first }
  args[1];
}

sample_text:::four <- perf:software:faults:1 [parameters 1, on exec] {}

prepare sample_text:::two* <- rawtp:::a or rawtp:::b, otherwise rawtp:::c
{ __kept[curthread] = 1; }
)";

TEST(DerivedText, DeclaresProbesWithTheirArguments) {
  std::vector<DeclaredProbe> probes = read_declared_probes(sample_text);
  ASSERT_EQ(probes.size(), 3U);
  EXPECT_EQ(probes[0].name, "one");
  EXPECT_EQ(one_line(probes[0].arguments), "int, struct sock * : csinfo_t *");
  EXPECT_EQ(probes[1].name, "two-three");
  EXPECT_EQ(probes[1].arguments, probes[0].arguments);
  EXPECT_EQ(probes[2].name, "four");
  EXPECT_EQ(probes[2].arguments, "");
}

TEST(DerivedText, ArgumentsHaveNames) {
  auto arguments = read_declared_arguments(
      "int signal, struct sock * : csinfo_t *, void *, void (*)(void) handler, struct file * : fileinfo_t *file, "
      "struct sock *, string path, uint64_t");
  std::vector<std::string> names;
  for (const DeclaredArgument& each : arguments)
    names.push_back(fmt::format("{}:{}:{}", each.native, each.translated, each.name));
  EXPECT_EQ(names, (std::vector<std::string>{"int::signal", "struct sock *:csinfo_t *:csinfo",
                                             "void *::", "void (*)(void)::handler", "struct file *:fileinfo_t *:file",
                                             "struct sock *::", "string::path", "uint64_t::"}));
}

TEST(DerivedText, DerivesEachProbeFromEachSite) {
  std::vector<DerivationRow> rows = read_derived_clauses(sample_text).derivations;
  ASSERT_EQ(rows.size(), 5U);
  EXPECT_EQ(rows[0].probe, "one");
  EXPECT_EQ(rows[0].site, "rawtp:::first");
  EXPECT_EQ(rows[1].probe, "one");
  EXPECT_EQ(rows[1].site, "fbt::second:entry");
  EXPECT_EQ(rows[2].probe, "two-three");
  EXPECT_EQ(rows[2].site, "rawtp:::first");
  EXPECT_EQ(rows[3].site, "fbt::second:entry");
  EXPECT_EQ(rows[4].site, "perf:software:faults:1");
}

TEST(DerivedText, AttributesBelongToThePrecedingSite) {
  std::vector<DerivationRow> rows = read_derived_clauses(sample_text).derivations;
  EXPECT_EQ(rows[0].min_parameters, 2U);
  EXPECT_EQ(rows[0].max_parameters, SIZE_MAX);
  EXPECT_EQ(rows[0].order, 1U);
  EXPECT_FALSE(rows[0].subject.has_value());
  EXPECT_FALSE(rows[0].is_otherwise);
  EXPECT_EQ(rows[1].min_parameters, 1U);
  EXPECT_EQ(rows[1].max_parameters, 3U);
  EXPECT_EQ(rows[1].order, 4U);
  EXPECT_EQ(rows[1].subject, 2U);
  EXPECT_TRUE(rows[1].is_otherwise);
  EXPECT_FALSE(rows[1].may_lack_pages);
  EXPECT_EQ(rows[4].min_parameters, 1U);
  EXPECT_EQ(rows[4].max_parameters, 1U);
  EXPECT_TRUE(rows[4].may_lack_pages);
}

TEST(DerivedText, ClausesAreJoinedWithoutComments) {
  std::vector<DerivationRow> rows = read_derived_clauses(sample_text).derivations;
  EXPECT_EQ(one_line(rows[0].clause), "/args[0] != 0 && args[1] / 2 > 1/ { args[0]; args[1]; }");
  EXPECT_EQ(one_line(rows[4].clause), "{}");
}

TEST(DerivedText, PreparationsHaveAlternativeSites) {
  std::vector<PreparationRow> rows = read_derived_clauses(sample_text).preparations;
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].probe, "two*");
  EXPECT_EQ(rows[0].sites, (std::vector<std::string_view>{"rawtp:::a", "rawtp:::b"}));
  EXPECT_FALSE(rows[0].is_otherwise);
  EXPECT_EQ(rows[1].sites, std::vector<std::string_view>{"rawtp:::c"});
  EXPECT_TRUE(rows[1].is_otherwise);
  EXPECT_EQ(rows[1].clause, "{ __kept[curthread] = 1; }");
}

TEST(DerivedText, AllFilesDeclareTheirDerivedProbes) {
  ASSERT_GT(derived_provider_texts.size(), 10U);
  for (const DerivedProviderText& file : derived_provider_texts) {
    std::set<std::string_view> declared, derived;
    for (const DeclaredProbe& probe : read_declared_probes(file.text)) declared.insert(probe.name);
    for (const DerivationRow& row : read_derived_clauses(file.text).derivations) derived.insert(row.probe);
    EXPECT_EQ(declared, derived) << file.provider;
  }
}

// Probes without a derivation are stubs.
TEST(DerivedText, SolarisFilesDeclareTheirDerivedProbes) {
  ASSERT_EQ(solaris_provider_texts.size(), 8U);
  for (const DerivedProviderText& file : solaris_provider_texts) {
    std::set<std::string_view> declared;
    for (const DeclaredProbe& probe : read_declared_probes(file.text)) EXPECT_TRUE(declared.insert(probe.name).second);
    DerivedClauses clauses = read_derived_clauses(file.text);
    for (const DerivationRow& row : clauses.derivations) EXPECT_TRUE(declared.contains(row.probe)) << row.probe;
    EXPECT_TRUE(clauses.preparations.empty()) << file.provider;
  }
}

}  // namespace
}  // namespace dscope
