// Ids, matching and lazy enumeration of ProbeTable, with two sample providers.
#include "runtime/providers/probe_table.h"

#include <gtest/gtest.h>

namespace dscope {
namespace {

class Sample final : public Provider {
 public:
  Sample(std::string_view name, std::vector<std::string_view> names, int& enumerations)
      : name_(name), names_(std::move(names)), enumerations_(enumerations) {}
  std::string_view name() const override { return name_; }
  bool could_match(const ProbeDescription& description) const override {
    return field_matches(description.provider, name_) && could_match_tracepoint(description.name);
  }
  size_t count() override {
    ++enumerations_;
    return names_.size();
  }
  ProbeName probe_name(size_t index) override { return {.module = "vmlinux", .function = {}, .name = names_[index]}; }
  void describe(size_t, Probe& probe) override { probe.has_typed_args = true; }
  std::optional<Probe> create(const ProbeDescription& description) override {
    if (description.name != "made") return std::nullopt;
    return Probe{.provider = std::string{name_}, .module = "vmlinux", .name = "made"};
  }
  void load_args(Probe& probe, TypeTable& types) override {
    probe.args.push_back({.type_text = "int", .type = types.int_type()});
  }

 private:
  std::string_view name_;
  std::vector<std::string_view> names_;
  int& enumerations_;
};

class Probes : public testing::Test {
 protected:
  ProbeTable make() {
    std::vector<std::unique_ptr<Provider>> providers;
    providers.push_back(std::make_unique<Sample>("cheap", std::vector<std::string_view>{"alpha", "beta"}, cheap_));
    std::vector<std::string_view> costly_names{"alpha", "gamma", "zeta"};
    providers.push_back(std::make_unique<Sample>("costly", std::move(costly_names), costly_));
    return ProbeTable{std::move(providers)};
  }
  static std::vector<uint32_t> ids(const std::vector<const Probe*>& probes) {
    std::vector<uint32_t> result;
    for (const Probe* probe : probes) result.push_back(probe->id);
    return result;
  }
  int cheap_ = 0, costly_ = 0;
};

TEST_F(Probes, IdsDoNotDependOnTheOrderOfQueries) {
  ProbeTable all = make(), piecewise = make();
  EXPECT_EQ(ids(all.match({})), (std::vector<uint32_t>{1, 2, 3, 4, 5}));
  EXPECT_EQ(ids(piecewise.match({.provider = "cheap", .name = "made"})), std::vector{ProbeTable::first_created_id});
  EXPECT_EQ(ids(piecewise.match({.name = "gamma"})), std::vector<uint32_t>{4});
  EXPECT_EQ(ids(piecewise.match({.name = "alpha"})), (std::vector<uint32_t>{1, 3}));
  EXPECT_EQ(ids(piecewise.match({.id = 4})), std::vector<uint32_t>{4});
  EXPECT_EQ(piecewise.match({.id = 4})[0], piecewise.match({.provider = "costly", .name = "g*"})[0]);
  EXPECT_TRUE(piecewise.match({.id = 6}).empty());
  EXPECT_TRUE(piecewise.match({.id = 0}).empty());
  EXPECT_EQ(piecewise.match({.id = ProbeTable::first_created_id})[0]->name, "made");
}

TEST_F(Probes, EnumeratesOnlyProvidersThatCouldMatch) {
  ProbeTable table = make();
  EXPECT_TRUE(table.match({.name = "tick-5"}).empty());
  EXPECT_EQ(cheap_ + costly_, 0);
  EXPECT_EQ(table.match({.provider = "cheap"}).size(), 2U);
  EXPECT_EQ(table.match({.provider = "c[gh]*"}).size(), 2U);
  EXPECT_EQ(costly_, 0);
}

TEST_F(Probes, CreatesProbesOnDemandOnce) {
  ProbeTable table = make();
  EXPECT_TRUE(table.match({.provider = "cheap", .name = "mad*"}).empty());
  auto made = table.match({.provider = "cheap", .name = "made"});
  ASSERT_EQ(made.size(), 1U);
  EXPECT_EQ(table.match({.provider = "cheap", .name = "made"}), made);
  EXPECT_EQ(table.match({.provider = "cheap", .name = "mad*"}), made);
}

TEST_F(Probes, AcceptsModuleAliases) {
  ProbeTable table = make();
  for (const char* module : {"vmlinux", "genunix", "unix", "kernel", "vm*", ""})
    EXPECT_EQ(table.match({.provider = "cheap", .module = module}).size(), 2U) << module;
  EXPECT_TRUE(table.match({.provider = "cheap", .module = "ext4"}).empty());
}

TEST_F(Probes, ArgumentsAreLoadedOncePerTable) {
  ProbeTable table = make();
  TypeTable types;
  const Probe& probe = *table.match({.id = 1})[0];
  EXPECT_FALSE(probe.args_loaded);
  table.load_args(probe, types);
  table.load_args(probe, types);
  EXPECT_TRUE(probe.args_loaded);
  EXPECT_EQ(probe.args.size(), 1U);
}

TEST_F(Probes, HintsNameSimilarProbes) {
  ProbeTable table = make();
  EXPECT_EQ(table.why_missing({.provider = "costly", .name = "gama"}), "did you mean `gamma`?");
  EXPECT_EQ(table.why_missing({.name = "zetta"}), "did you mean `zeta`?");
  EXPECT_EQ(table.why_missing({.provider = "costly", .name = "quite_else"}),
            "the names of its probes are alpha, gamma, zeta");
  EXPECT_EQ(table.why_missing({.name = "GAMMA"}), "did you mean `gamma`?");
  EXPECT_EQ(table.why_missing({.function = "costly", .name = "gamma"}), "did you mean `costly:::gamma`?");
  EXPECT_EQ(
      table.why_missing({.provider = "fbt"}),
      "there is no provider `fbt`; known: cheap costly; providers of processes end with a process id: `fbt$target`, "
      "`fbt*`");
  EXPECT_EQ(table.why_missing({.id = 99}), "there is no probe with id 99");
}

TEST(ProbeFields, RecognizeNamesThatNoTracepointHas) {
  for (const char* name : {"BEGIN", "entry", "return", "tick-1s", "tick-*", "profile-9?"})
    EXPECT_FALSE(could_match_tracepoint(name)) << name;
  for (const char* name : {"", "*", "sched_switch", "sched_*", "[a-z]*"})
    EXPECT_TRUE(could_match_tracepoint(name)) << name;
}

}  // namespace
}  // namespace dscope
