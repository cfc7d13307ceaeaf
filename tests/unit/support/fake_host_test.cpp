// FakeHost, which the tests of other modules use.
#include "tests/support/fake_host.h"

#include "contract/types/member.h"

#include <gtest/gtest.h>

namespace dscope {
namespace {

TEST(FakeHost, MatchesProbesAndIds) {
  FakeHost host;
  EXPECT_EQ(host.match({.name = "BEGIN"}).at(0)->id, 1U);
  EXPECT_EQ(host.match({.provider = "syscall", .function = "read"}).size(), 2U);
  auto all = host.match({});
  for (size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i]->id, i + 1);
  EXPECT_EQ(host.match({.id = 5}).at(0), all[4]);
  EXPECT_TRUE(host.match({.provider = "lockstat"}).empty());
  EXPECT_EQ(host.why_missing({.provider = "lockstat"}),
            "there is no provider `lockstat`; known: dtrace fbt proc profile rawtp sched sdt syscall");
}

TEST(FakeHost, CreatesIntervalsOnDemand) {
  FakeHost host;
  auto tick = host.match({.name = "tick-3sec"});
  ASSERT_EQ(tick.size(), 1U);
  EXPECT_EQ(tick[0]->hook, Hook{HookTimer{3'000'000'000}});
  EXPECT_EQ(host.match({.name = "tick-3sec"}), tick);
  EXPECT_TRUE(host.match({.name = "profile-5001hz"}).empty());
}

TEST(FakeHost, TypesArguments) {
  FakeHost host;
  TypeTable types;
  const Probe& openat = *host.match({.provider = "syscall", .function = "openat", .name = "entry"}).at(0);
  host.load_args(openat, types);
  ASSERT_EQ(openat.args.size(), 4U);
  EXPECT_EQ(openat.args[1].type_text, "const char *");
  EXPECT_TRUE(types.get(openat.args[1].type).is_userland);
  EXPECT_EQ(openat.args[0].source, (ArgSource{.kind = ArgSourceKind::SyscallArg, .size = 4, .is_signed = true}));

  const Probe& record = *host.match({.provider = "sdt", .name = "sched_switch"}).at(0);
  host.load_args(record, types);
  EXPECT_EQ(types.spell(record.args.at(0).type), "char *");
  EXPECT_EQ(record.args[0].source.kind, ArgSourceKind::RecordAddress);
  EXPECT_EQ(record.raw_args.at(3).offset, 32);

  const Probe& raw = *host.match({.provider = "rawtp", .name = "sched_switch"}).at(0);
  host.load_args(raw, types);
  EXPECT_EQ(types.spell(raw.args.at(1).type), "struct task_struct *");
  EXPECT_EQ(raw.raw_args.at(3).index, 3U);
}

TEST(FakeHost, EveryTypeAndProbeIsWellFormed) {
  FakeHost host;
  TypeTable types;
  for (const Probe* probe : host.match({})) host.load_args(*probe, types);
  host.find_type(types, "", "struct task_struct");
  for (uint32_t i = 0; i < types.size(); ++i) host.complete_type(types, TypeId{i});
  for (uint32_t i = 0; i < types.size(); ++i)
    for (const TypeMember& member : types.get(TypeId{i}).members)
      EXPECT_LE(member.bit_offset + (member.bit_size != 0 ? member.bit_size : types.size_of(member.type) * 8),
                types.get(TypeId{i}).size * 8)
          << types.get(TypeId{i}).name << " " << member.name;
}

TEST(FakeHost, FindsMembersInUnnamedStructs) {
  FakeHost host;
  TypeTable types;
  TypeId task = host.find_type(types, "vmlinux", "struct task_struct").value();
  EXPECT_FALSE(types.get(task).is_complete);
  auto bits = find_member(host, types, task, "more_inner_bits");
  ASSERT_TRUE(bits);
  EXPECT_EQ(bits->bit_offset, 360U * 8 + 4 * 8 + 3);
  EXPECT_EQ(bits->bit_size, 5U);
  auto users = find_member(host, types, task, "rcu_users");
  ASSERT_TRUE(users);
  EXPECT_TRUE(users->within_union);
  EXPECT_FALSE(find_member(host, types, task, "no_such"));
  auto nothing = find_member(host, types, task, "nothing");
  EXPECT_EQ(types.spell(nothing->type), "struct undefined_here *");
  EXPECT_FALSE(host.find_type(types, "", "struct undefined_here"));
}

TEST(FakeHost, FindsEnumsAndSymbols) {
  FakeHost host;
  TypeTable types;
  TypeId pid_type = host.find_type(types, "", "enum pid_type").value();
  host.complete_type(types, pid_type);
  EXPECT_EQ(types.get(pid_type).enumerators.at(1).name, "PIDTYPE_TGID");
  auto jiffies = host.find_symbol(types, "", "jiffies");
  ASSERT_TRUE(jiffies && jiffies->type);
  EXPECT_EQ(types.spell(*jiffies->type), "unsigned long");
  EXPECT_FALSE(host.find_symbol(types, "", "max_pfn")->type);
  EXPECT_FALSE(host.find_symbol(types, "", "nonsense"));
}

TEST(FakeHost, ReadsOtherMachines) {
  FakeHost host{"fact cpu_count 64\ndtrace BEGIN\nstruct s 8\n 0 int a\n 4 char b[4]\nend\n"};
  EXPECT_EQ(host.facts().cpu_count, 64U);
  EXPECT_EQ(host.match({}).size(), 1U);
  TypeTable types;
  auto member = find_member(host, types, *host.find_type(types, "", "struct s"), "b");
  EXPECT_EQ(types.spell(member->type), "char [4]");
}

}  // namespace
}  // namespace dscope
