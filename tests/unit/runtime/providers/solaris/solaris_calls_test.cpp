// The name of a system call in a script with compat=solaris.
#include <gtest/gtest.h>

#include <algorithm>

#include "runtime/providers/live_host.h"

namespace dscope {
namespace {

using Clauses = std::vector<std::vector<std::string>>;

ProbeDescription entry_of(const std::string& function) {
  return {.provider = "syscall", .function = function, .name = "entry", .dialect = Dialect::solaris()};
}

std::unique_ptr<LiveHost> host_for(const Clauses& clauses) {
  auto host = make_live_host();
  std::vector<std::vector<ProbeDescription>> descriptions;
  for (const std::vector<std::string>& clause : clauses) {
    descriptions.emplace_back();
    for (const std::string& function : clause) descriptions.back().push_back(entry_of(function));
  }
  host->announce(descriptions);
  return host;
}

bool never_fires(const Probe& probe) { return probe.stub != Stub::None; }

// The names under which the system call of that number fires in the script. With several names, the arguments of the
// call decide.
std::vector<std::string> names_of(uint32_t number, const Clauses& clauses) {
  auto host = host_for(clauses);
  std::vector<std::string> names;
  for (const Probe* probe : host->match(entry_of(""))) {
    auto is_its_number = [&](const Hook& hook) {
      const auto* call = std::get_if<HookSyscall>(&hook);
      return call != nullptr && call->number == number;
    };
    bool fires = probe->sites.empty() ? probe->derivations.empty() && is_its_number(probe->hook)
                                      : std::ranges::any_of(probe->sites, is_its_number, &ProbeSite::hook);
    if (fires) names.push_back(probe->function);
  }
  std::ranges::sort(names);
  return names;
}

using Names = std::vector<std::string>;
constexpr uint32_t open_call = 2, openat_call = 257, fstatat_call = 262, clone3_call = 435, getppid_call = 110;

TEST(SolarisCalls, UseDefaultNames) {
  EXPECT_EQ(names_of(openat_call, {}), Names{"open"});
  EXPECT_EQ(names_of(openat_call, {{""}, {"*"}}), Names{"open"});
  EXPECT_EQ(names_of(getppid_call, {}), Names{"getppid"});
  EXPECT_EQ(names_of(fstatat_call, {}), (Names{"fstat", "lstat", "stat"}));
  EXPECT_EQ(names_of(clone3_call, {}), (Names{"fork", "lwp_create", "vfork"}));
}

TEST(SolarisCalls, PreferTheFirstExplicitName) {
  EXPECT_EQ(names_of(openat_call, {{"open64", "open"}}), Names{"open64"});
  EXPECT_EQ(names_of(openat_call, {{"open*"}, {"open64"}}), Names{"open64"});
  EXPECT_EQ(names_of(openat_call, {{"open", "open64", "openat"}}), Names{"open"});
  EXPECT_EQ(names_of(openat_call, {{"*64"}}), Names{"open64"});
  EXPECT_EQ(names_of(fstatat_call, {{"fstatat", "stat"}}), Names{"fstatat"});
}

// A script for several releases names a call by all its names. The name with both entry and return probes wins.
TEST(SolarisCalls, PreferNamesWithEntryAndReturn) {
  auto host = make_live_host();
  ProbeDescription leaving = entry_of("open");
  leaving.name = "return";
  host->announce({{entry_of("open64"), entry_of("open")}, {leaving}});
  EXPECT_TRUE(never_fires(*host->match(entry_of("open64")).at(0)));
  EXPECT_FALSE(never_fires(*host->match(entry_of("open")).at(0)));
  EXPECT_FALSE(never_fires(*host->match(leaving).at(0)));
}

TEST(SolarisCalls, UseLinuxNamesThatAClauseNamesAlone) {
  EXPECT_EQ(names_of(openat_call, {{"open"}, {"openat"}}), Names{"openat"});
  EXPECT_EQ(names_of(open_call, {{"open"}, {"openat"}}), Names{"open"});
  EXPECT_EQ(names_of(openat_call, {{"open*"}, {"openat*"}}), Names{"openat"});
  EXPECT_EQ(names_of(fstatat_call, {{"stat"}, {"newfstatat"}}), Names{"newfstatat"});
  EXPECT_EQ(names_of(fstatat_call, {{"stat", "newfstatat"}}), (Names{"newfstatat", "stat"}));
}

// Names that are not in use in the script still match, but their probes never fire.
TEST(SolarisCalls, UnusedNamesMatchButNeverFire) {
  auto host = host_for({{"fstatat", "newfstatat", "open", "open64", "doorfs"}, {"*"}});
  for (const char* name : {"newfstatat", "open64", "doorfs"}) {
    auto found = host->match(entry_of(name));
    ASSERT_EQ(found.size(), 1U) << name;
    EXPECT_TRUE(never_fires(*found[0])) << name;
  }
  EXPECT_TRUE(std::ranges::none_of(host->match(entry_of("*")), [](const Probe* probe) { return never_fires(*probe); }));
}

TEST(SolarisCalls, IdsMatchTheProbeOfTheName) {
  auto host = make_live_host();
  ProbeDescription linux_call = entry_of("openat");
  linux_call.dialect = {};
  ProbeDescription by_id;
  by_id.id = host->match(linux_call).at(0)->id;
  by_id.dialect = Dialect::solaris();
  host->announce({{by_id}});
  auto found = host->match(by_id);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0], host->match(entry_of("openat")).at(0));
  EXPECT_TRUE(std::ranges::count(host->match(entry_of("")), found[0]) == 1);
}

TEST(SolarisCalls, ReorderArgumentsAsSolaris) {
  auto host = host_for({});
  const Probe& open = *host->match(entry_of("open")).at(0);
  ASSERT_EQ(open.sites.size(), 3U);
  const auto& openat = std::get<HookSyscall>(open.sites[1].hook);
  EXPECT_EQ(openat.number, openat_call);
  constexpr uint8_t none = HookSyscall::no_argument;
  EXPECT_EQ(openat.order, (std::vector<uint8_t>{1, 2, 3, none, none, none}));
  const Probe& lstat = *host->match(entry_of("lstat")).at(0);
  const auto& fstatat = std::get<HookSyscall>(lstat.sites[1].hook);
  // Excludes the flags of stat; requires AT_SYMLINK_NOFOLLOW.
  EXPECT_EQ(fstatat.conditions,
            (std::vector<SyscallCondition>{{.argument = 3, .bits = 0x1100}, {.argument = 3, .bits = 0x100}}));
}

}  // namespace
}  // namespace dscope
