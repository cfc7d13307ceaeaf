// LiveHost on this machine: facts that hold on every x86_64 Linux, with or without privileges.
#include "runtime/providers/live_host.h"

#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "runtime/kernel/tracefs.h"
#include "support/format.h"

namespace dscope {
namespace {

std::vector<std::string> names(const std::vector<const Probe*>& probes) {
  std::vector<std::string> result;
  for (const Probe* probe : probes)
    result.push_back(probe->provider + ":" + probe->module + ":" + probe->function + ":" + probe->name);
  return result;
}

TEST(LiveProbes, HasDtraceProbes) {
  auto host = make_live_host();
  EXPECT_EQ(names(host->match({.provider = "dtrace"})),
            (std::vector<std::string>{"dtrace:::BEGIN", "dtrace:::END", "dtrace:::ERROR"}));
  EXPECT_EQ(host->match({.name = "BEGIN"}).at(0)->id, 1U);
  EXPECT_EQ(host->match({.name = "END"}).at(0)->hook, Hook{HookTestRun{HookTestRun::Role::End}});
}

TEST(LiveProbes, FindsSyscallsByNameAndAlias) {
  auto host = make_live_host();
  auto entries = host->match({.provider = "syscall", .name = "entry"});
  EXPECT_GT(entries.size(), 330U);
  EXPECT_EQ(names(host->match({.function = "read"})),
            (std::vector<std::string>{"syscall:vmlinux:read:entry", "syscall:vmlinux:read:return"}));
  for (auto [alias, name] : {std::pair{"stat", "newstat"}, {"umount2", "umount"}, {"sendfile", "sendfile64"}})
    EXPECT_EQ(host->match({.function = alias, .name = "entry"}).at(0)->function, name);
  EXPECT_EQ(names(host->match({.provider = "syscall", .function = "lstat*", .name = "entry"})),
            std::vector<std::string>{"syscall:vmlinux:newlstat:entry"});
  EXPECT_EQ(names(host->match({.function = "unam?", .name = "return"})),
            std::vector<std::string>{"syscall:vmlinux:newuname:return"});
  EXPECT_TRUE(host->match({.provider = "syscall", .function = "tuxcall"}).empty());
  const Probe& read = *host->match({.provider = "syscall", .function = "read", .name = "return"}).at(0);
  EXPECT_EQ(read.hook, (Hook{HookSyscall{.number = 0, .is_return = true}}));
  EXPECT_EQ(read.raw_args.size(), 2U);
  for (const char* module : {"genunix", "unix", "kernel", "vmlinux"})
    EXPECT_EQ(host->match({.provider = "syscall", .module = module, .name = "entry"}).size(), entries.size());
  const Probe& unknown = *host->match({.function = "sys_999", .name = "entry"}).at(0);
  EXPECT_EQ(unknown.hook, (Hook{HookSyscall{.number = 999}}));
  EXPECT_EQ(host->match({.provider = "syscall", .function = "sys_998"}).size(), 2U);
  EXPECT_EQ(host->match({.provider = "syscall", .function = "sys_997", .name = "r*"}).size(), 1U);
}

// Skipped on kernels that run no 32-bit programs.
TEST(LiveProbes, HasSyscallsOf32BitPrograms) {
  auto host = make_live_host();
  auto function_of = [&](const std::string& name) {
    auto found = host->match({.provider = "syscall", .function = name, .name = "entry"});
    return found.size() == 1 ? found[0]->function : "";
  };
  // System calls that 64-bit programs have too, under a different name.
  for (auto [alias, name] :
       {std::pair{"mmap2", "mmap"}, {"fstat64", "newfstat"}, {"waitpid", "wait4"}, {"getuid32", "getuid"}})
    EXPECT_EQ(function_of(alias), name);
  EXPECT_TRUE(host->match({.provider = "syscall", .function = "vm86"}).empty());
  if (::access("/proc/sys/abi/vsyscall32", F_OK) != 0) GTEST_SKIP() << "this kernel runs no 32-bit programs";
  for (auto [alias, name] : {std::pair{"socketcall", "socketcall"}, {"_llseek", "llseek"}, {"readdir", "old_readdir"}})
    EXPECT_EQ(function_of(alias), name);
  const Probe& ipc = *host->match({.function = "ipc", .name = "entry"}).at(0);
  EXPECT_EQ(ipc.hook, (Hook{HookSyscall{.number = HookSyscall::first_compat_number + 117}}));
  TypeTable types;
  host->load_args(ipc, types);
  ASSERT_EQ(ipc.args.size(), 6U);
  EXPECT_EQ(ipc.args[1].source,
            (ArgSource{.kind = ArgSourceKind::SyscallArg, .index = 1, .size = 4, .is_signed = true}));
}

TEST(LiveProbes, TypesSyscallArguments) {
  auto host = make_live_host();
  TypeTable types;
  const Probe& openat = *host->match({.provider = "syscall", .function = "openat", .name = "entry"}).at(0);
  EXPECT_EQ(openat.raw_args.size(), 6U);
  host->load_args(openat, types);
  ASSERT_EQ(openat.args.size(), 4U);
  EXPECT_EQ(openat.args[0].source, (ArgSource{.kind = ArgSourceKind::SyscallArg, .size = 4, .is_signed = true}));
  EXPECT_EQ(openat.args[1].type_text, "const char *");
  EXPECT_EQ(openat.args[1].name, "filename");
  EXPECT_EQ(openat.args[1].type, types.pointer_to(types.plain_char(), true));
  EXPECT_EQ(openat.args[3].type_text, "umode_t");
}

TEST(LiveProbes, CreatesIntervalProbes) {
  auto host = make_live_host();
  auto published = host->match({.provider = "profile"});
  EXPECT_EQ(published.size(), 13U);
  EXPECT_EQ(host->match({.name = "profile-997"}).at(0)->hook, Hook{HookPerfClock{1'000'000'000 / 997}});
  const std::pair<const char*, uint64_t> intervals[] = {
      {"tick-1s", 1'000'000'000},    {"tick-10MS", 10'000'000},       {"tick-250usec", 250'000},
      {"tick-1min", 60'000'000'000}, {"tick-1d", 86'400'000'000'000}, {"tick-200000ns", 200'000},
      {"tick-5000hz", 200'000},      {"tick-2h", 7'200'000'000'000}};
  for (auto [name, period] : intervals) {
    auto found = host->match({.name = name});
    ASSERT_EQ(found.size(), 1U) << name;
    EXPECT_EQ(found[0]->hook, Hook{HookTimer{period}}) << name;
    EXPECT_EQ(host->match({.provider = "profile", .name = name}), found);
  }
  for (const char* name :
       {"profile-0", "profile-5001", "tick-199us", "tick-", "tick-1x", "tick-99999999999999999999", "tick-99999999d"})
    EXPECT_TRUE(host->match({.name = name}).empty()) << name;
  EXPECT_EQ(host->why_missing({.name = "tick-6000hz"}), "the shortest interval is 200 us, 5000 per second");
  for (const char* name : {"tick-5x", "profile-0", "tick-"})
    EXPECT_NE(host->why_missing({.name = name}).find("as in profile-997"), std::string::npos) << name;
  EXPECT_GE(host->match({.name = "tick-*"}).size(), 6U);
}

TEST(LiveProbes, CreatesCountedEventProbes) {
  auto host = make_live_host();
  HookPerfEvent faults{.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_PAGE_FAULTS, .period = 7};
  auto found = host->match({.provider = "cpc", .name = "page_faults-all-7"});
  if (found.empty()) GTEST_SKIP() << "perf events are not allowed";
  EXPECT_EQ(found.at(0)->hook, Hook{faults});
  faults.in_kernel = false;
  EXPECT_EQ(host->match({.name = "page_faults-user-7"}).at(0)->hook, Hook{faults});
  EXPECT_EQ(host->match({.provider = "cpc", .name = "cpu_clock-*"}).size(), 1U);
  for (const char* name : {"cpu_clock-all-99999", "page_faults-all-0", "page_faults-some-7", "page_faults-7", "-all-7",
                           "nothing-all-7", "page_faults-all-0x1-7", "page_faults-all-99999999999999999999"})
    EXPECT_TRUE(host->match({.provider = "cpc", .name = name}).empty()) << name;
  EXPECT_EQ(host->why_missing({.provider = "cpc", .name = "cpu_clock-all-1"}),
            "the smallest count of cpu_clock is 100000 ns");
  EXPECT_EQ(host->why_missing({.provider = "cpc", .name = "page_faults-all-0x1-7"}),
            "only raw events (r1a2b) take a mask");

  faults.in_kernel = true;
  auto one = host->match({.provider = "perf", .module = "software", .function = "page_faults", .name = "7"});
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0]->hook, Hook{faults});
  EXPECT_TRUE(host->match({.provider = "perf", .module = "hardware", .function = "page_faults", .name = "7"}).empty());
}

TEST(LiveProbes, HasIterators) {
  auto host = make_live_host();
  TypeTable types;
  auto files = host->match({.provider = "iter", .function = "task_file"});
  if (files.empty()) GTEST_SKIP() << "no types, or no iterators";
  ASSERT_EQ(names(files), (std::vector<std::string>{"iter:vmlinux:task_file:task_file"}));
  const auto& hook = std::get<HookIterator>(files[0]->hook);
  EXPECT_EQ(hook.target, "task_file");
  EXPECT_EQ(hook.objects, (std::vector<uint32_t>{1, 3}));
  EXPECT_EQ(hook.subject, 1U);
  host->load_args(*files[0], types);
  ASSERT_EQ(files[0]->args.size(), 4U);
  EXPECT_EQ(files[0]->args[0].type_text, "struct task_struct *");
  EXPECT_EQ(files[0]->args[1].source, (ArgSource{.kind = ArgSourceKind::CtxSlot, .index = 2, .size = 4}));
  EXPECT_EQ(files[0]->args[2].type_text, "struct file *");
  EXPECT_EQ(files[0]->args[3].type_text, "struct bpf_iter_meta *");
  EXPECT_EQ(host->match({.provider = "iter", .name = "task"}).size(), 1U);
  EXPECT_TRUE(host->match({.provider = "iter", .name = "bpf_map_elem"}).empty());
  EXPECT_NE(host->why_missing({.provider = "iter", .name = "tasks"}).find(" task_file "), std::string::npos);
}

int watched_by_tests = 1;

TEST(LiveProbes, CreatesWatchProbes) {
  auto own = static_cast<uint32_t>(::getpid());
  auto host = make_live_host({.targets = {own}});
  auto address = reinterpret_cast<uint64_t>(&watched_by_tests);
  HookWatch write{.address = address, .length = 4, .accesses = 2, .pid = own};
  auto hook_of = [&](ProbeDescription description) {
    auto found = host->match(description);
    return found.empty() ? Hook{} : found.at(0)->sites.at(0).hook;
  };
  std::string written = "0x" + fmt::format("{:x}", address);
  EXPECT_EQ(hook_of({.provider = "watch", .module = "a.out", .function = written, .name = "w4"}), Hook{write});
  EXPECT_EQ(hook_of({.provider = fmt::format("watch{}", own), .function = written, .name = "w4"}), Hook{write});
  EXPECT_EQ(hook_of({.provider = "watch", .function = "environ", .name = "rw8"}).index(), Hook{write}.index());
  write.accesses = 3;
  EXPECT_EQ(hook_of({.provider = "watch", .function = written, .name = "rw4"}), Hook{write});
  HookWatch executed{.address = address, .length = 8, .accesses = 4, .pid = own};
  EXPECT_EQ(hook_of({.provider = "watch", .function = written, .name = "x"}), Hook{executed});
  HookWatch of_kernel{.address = 0xffffffff81000000, .length = 8, .accesses = 2};
  EXPECT_EQ(hook_of({.provider = "watch", .module = "vmlinux", .function = "0xffffffff81000000", .name = "w8"}),
            Hook{of_kernel});
  for (const char* name : {"r4", "w", "w0", "rwx4", "4", "w4x", "w99999999999"})
    EXPECT_TRUE(host->match({.provider = "watch", .function = written, .name = name}).empty()) << name;
  for (const char* symbol : {"no_such_symbol", "0x", "0xg"})
    EXPECT_TRUE(host->match({.provider = "watch", .function = symbol, .name = "w4"}).empty()) << symbol;
  EXPECT_TRUE(host->match({.provider = "watch0", .function = written, .name = "w4"}).empty());
}

TEST(LiveProbes, HasSecurityHooks) {
  auto host = make_live_host();
  TypeTable types;
  auto found = host->match({.provider = "lsm", .function = "file_open", .name = "entry"});
  if (found.empty()) GTEST_SKIP() << "no types";
  const auto& hook = std::get<HookFunction>(found[0]->hook);
  EXPECT_EQ(hook.mechanism, FunctionMechanism::Security);
  EXPECT_EQ(found[0]->is_available, host->why_missing({.provider = "lsm"}).empty());
  if (hook.type_id == 0) GTEST_SKIP() << "built without BPF security modules";
  host->load_args(*found[0], types);
  ASSERT_EQ(found[0]->args.size(), 1U);
  EXPECT_EQ(found[0]->args[0].type_text, "struct file *");
}

TEST(LiveProbes, HasVfsFunctions) {
  auto host = make_live_host();
  TypeTable types;
  auto found = host->match({.provider = "vfs", .function = "vfs_read", .name = "entry"});
  if (found.empty()) GTEST_SKIP() << "functions cannot be listed";
  host->load_args(*found[0], types);
  EXPECT_EQ(found[0]->args.at(0).translated_text, "fileinfo_t *");
  EXPECT_TRUE(host->match({.provider = "vfs", .function = "do_exit"}).empty());
  for (const Probe* probe : host->match({.function = "vfs_read"})) EXPECT_NE(probe->provider, "vfs");
}

// Functions that the kernel describes but cannot trace have ids too, and so do probes derived from them.
TEST(LiveProbes, IdsAreEqualInEverySession) {
  auto listing = make_live_host();
  auto all = listing->match({});
  for (size_t i = 1; i < all.size(); ++i) ASSERT_GT(all[i]->id, all[i - 1]->id);
  auto calls = listing->match({.provider = "syscall"});
  for (size_t i = 1; i < calls.size(); ++i) ASSERT_EQ(calls[i]->id, calls[i - 1]->id + 1);
  std::set<std::string> distinct;
  for (const std::string& name : names(all)) EXPECT_TRUE(distinct.insert(name).second) << name;
  auto session = make_live_host();
  EXPECT_EQ(session->match({.name = "tick-77ms"}).size(), 1U);
  for (size_t i : {size_t{0}, size_t{10}, size_t{500}, all.size() - 1})
    EXPECT_EQ(names(session->match({.id = all[i]->id})), names({all[i]}));
}

TEST(LiveProbes, TypesTracepointArguments) {
  auto host = make_live_host();
  TypeTable types;
  auto raw = host->match({.provider = "rawtp", .name = "sched_process_fork"});
  if (raw.empty()) GTEST_SKIP() << "neither tracefs nor BTF is readable";
  ASSERT_EQ(raw.size(), 1U);
  EXPECT_EQ(raw[0]->hook, Hook{HookRawTracepoint{"sched_process_fork"}});
  host->load_args(*raw[0], types);
  ASSERT_EQ(raw[0]->args.size(), 2U);
  EXPECT_EQ(raw[0]->args[0].type_text, "struct task_struct *");
  EXPECT_EQ(raw[0]->args[1].source, (ArgSource{.kind = ArgSourceKind::CtxSlot, .index = 1}));
  EXPECT_EQ(raw[0]->raw_args.size(), 2U);

  const Probe& record = *host->match({.provider = "sdt", .name = "sched_switch"}).at(0);
  host->load_args(record, types);
  ASSERT_GE(record.args.size(), 7U);
  EXPECT_EQ(record.args[0].name, "prev_comm");
  EXPECT_EQ(types.spell(record.args[0].type), "char *");
  EXPECT_EQ(record.args[0].source.kind, ArgSourceKind::RecordAddress);
  EXPECT_EQ(record.args[1].source.kind, ArgSourceKind::RecordField);
  EXPECT_TRUE(record.args[1].source.is_signed);
  EXPECT_EQ(record.raw_args.size(), record.args.size());
  const Probe& exec = *host->match({.provider = "sdt", .name = "sched_process_exec"}).at(0);
  host->load_args(exec, types);
  EXPECT_EQ(exec.args.at(0).source.kind, ArgSourceKind::RecordDataLoc);
  EXPECT_EQ(exec.args.at(0).name, "filename");
  EXPECT_TRUE(host->match({.provider = "sdt", .module = "syscalls"}).empty());
}

TEST(LiveProbes, EveryTypedArgumentHasAType) {
  auto host = make_live_host();
  TypeTable types;
  auto task = host->find_type(types, "", "struct task_struct");
  if (!task) GTEST_SKIP() << "BTF is not readable";
  size_t unknown = 0, total = 0;
  for (const Probe* probe : host->match({})) {
    if (probe->provider == "fbt") continue;
    host->load_args(*probe, types);
    for (const ProbeArg& arg : probe->args) {
      ++total;
      if (arg.type == TypeTable::error_type()) ++unknown;
    }
  }
  EXPECT_GT(total, 5000U);
  EXPECT_LE(unknown, 4U);
}

// A probe is either listed or reported as absent.
TEST(LiveProbes, AbsentProbesHaveReasons) {
  auto host = make_live_host();
  std::vector<std::string> reasons = host->absent({.provider = "lockstat"});
  for (std::string_view name : {"adaptive-block", "adaptive-acquire", "rw-downgrade"}) {
    std::string full = fmt::format("lockstat:::{} ", name);
    auto names_probe = [&](const std::string& reason) { return reason.find(full) != std::string::npos; };
    bool is_listed = !host->match({.provider = "lockstat", .name = std::string{name}}).empty();
    EXPECT_EQ(std::ranges::count_if(reasons, names_probe), is_listed ? 0 : 1) << name;
  }
  EXPECT_TRUE(host->absent({.provider = "syscall"}).empty());
}

TEST(LiveProbes, GivesHintsForMissingProbes) {
  auto host = make_live_host();
  EXPECT_EQ(host->why_missing({.provider = "syscall", .function = "opnat", .name = "entry"}), "did you mean `openat`?");
  EXPECT_EQ(host->why_missing({.provider = "syscall", .function = "openat", .name = "exit"}),
            "the names of its probes are entry, return");
  EXPECT_EQ(host->why_missing({.provider = "syscall", .function = "__x64_sys_openat", .name = "entry"}),
            "did you mean `openat`?");
  EXPECT_EQ(host->why_missing({.provider = "syscall", .module = "openat", .name = "entry"}),
            "did you mean `syscall::openat:entry`?");
  for (const ProbeDescription& of_solaris :
       {ProbeDescription{.provider = "syscall", .function = "open64", .name = "entry"},
        ProbeDescription{.provider = "sysinfo", .name = "cpumigrate"}})
    EXPECT_EQ(host->why_missing(of_solaris), "this is a probe of Solaris: use -x compat=solaris");
  const std::string own = fmt::format("pid{}", ::getpid());
  EXPECT_EQ(host->why_missing({.module = own, .function = "main", .name = "entry"}),
            fmt::format("did you mean `{}::main:entry`?", own));
  EXPECT_EQ(host->why_missing({.module = own, .function = "a.out", .name = "main"}),
            fmt::format("did you mean `{}:a.out:main:entry`?", own));
  EXPECT_NE(host->why_missing({.provider = "uprobe", .function = "main", .name = "entry"}).find("name one file"),
            std::string::npos);
  EXPECT_EQ(host->why_missing({.provider = "syscall", .function = "no_such_call", .name = "entry"}),
            "`-l -P syscall` lists its probes");
  EXPECT_EQ(host->why_missing({.provider = "sched", .name = "sched_switch"}),
            "did you mean `sdt:sched::sched_switch`?");
  EXPECT_EQ(host->why_missing({.provider = "kmem", .function = "kmalloc"}), "did you mean `sdt:kmem::kmalloc`?");
  EXPECT_EQ(host->why_missing({.provider = "kmem"}), "did you mean `sdt:kmem::`?");
  EXPECT_EQ(host->why_missing({.provider = "sdt", .module = "syscalls", .name = "sys_enter_read"}),
            "system calls are probes of their own provider: `syscall::NAME:entry`");
  EXPECT_EQ(host->why_missing({.provider = "io", .name = "begin"}),
            "the names of its probes are done, start, wait-done, wait-start");
  std::string hint = host->why_missing({.provider = "sycall"});
  EXPECT_EQ(hint, "there is no provider `sycall`; did you mean `syscall`?");
  hint = host->why_missing({.provider = "zfs"});
  EXPECT_TRUE(hint.starts_with("there is no provider `zfs`; known: ")) << hint;
  EXPECT_EQ(host->why_missing({.module = "fbt", .name = "vfs_read"}),
            "three colons separate the fields: `fbt:MODULE:FUNCTION:NAME`");
  for (const char* name : {"usdt", "plockstat"})
    EXPECT_NE(host->why_missing({.provider = name, .name = "x"}).find("$target:::`, with -p"), std::string::npos);
  for (const char* known : {" dtrace ", " pid ", " proc ", " syscall ", " tcp "})
    EXPECT_NE(hint.find(known), std::string::npos) << hint;
}

// Functions are listed even if they cannot be traced.
TEST(LiveProbes, ListsUntraceableFunctions) {
  auto host = make_live_host();
  TypeTable types;
  auto read = host->match({.provider = "fbt", .function = "vfs_read"});
  if (read.empty()) GTEST_SKIP() << "neither BTF nor symbols are readable";
  EXPECT_EQ(names(read), (std::vector<std::string>{"fbt:vmlinux:vfs_read:entry", "fbt:vmlinux:vfs_read:return"}));
  EXPECT_EQ(names(host->match({.id = read[1]->id})), names({read[1]}));
  host->load_args(*read[0], types);
  ASSERT_EQ(read[0]->args.size(), 4U);
  EXPECT_EQ(read[0]->args[0].type_text, "struct file *");
  EXPECT_EQ(read[0]->args[3].name, "pos");
  host->load_args(*read[1], types);
  ASSERT_EQ(read[1]->args.size(), 2U);
  EXPECT_EQ(read[1]->args[1].type_text, "ssize_t");
  EXPECT_EQ(read[0]->is_available, host->function_mechanisms().has_any());
  EXPECT_GT(host->match({.provider = "fbt", .function = "vfs_*", .name = "entry"}).size(), 20U);
  EXPECT_GT(host->match({.provider = "rawfbt", .function = "*.*", .name = "entry"}).size(), 100U);
}

TEST(LiveProbes, HasStabilityAttributes) {
  auto host = make_live_host();
  EXPECT_EQ(host->provider_attributes("dtrace").provider.name, Stability::Stable);
  EXPECT_EQ(host->provider_attributes("syscall").function.dependency, DependencyClass::Isa);
  EXPECT_EQ(host->provider_attributes("sdt").name.data, Stability::Private);
  EXPECT_EQ(host->provider_attributes("pid123").args.name, Stability::Private);
}

size_t count_descriptors() {
  return static_cast<size_t>(std::distance(std::filesystem::directory_iterator{"/proc/self/fd"}, {}));
}

bool has_mapped_types() {
  std::ifstream maps{"/proc/self/maps"};
  for (std::string line; std::getline(maps, line);)
    if (line.find("/btf/") != std::string::npos) return true;
  return false;
}

// A common script must not pay for tracefs, types or symbols. Once used, tracefs would stay open and types mapped.
TEST(LiveProbes, CommonDescriptionsOpenNoFiles) {
  size_t descriptors = count_descriptors();
  auto host = make_live_host();
  EXPECT_FALSE(host->match({.provider = "syscall", .name = "entry"}).empty());
  EXPECT_FALSE(host->match({.provider = "sys*", .name = "return"}).empty());
  EXPECT_FALSE(host->match({.name = "BEGIN"}).empty());
  EXPECT_FALSE(host->match({.name = "tick-1s"}).empty());
  EXPECT_FALSE(host->match({.name = "tick-7s"}).empty());
  EXPECT_FALSE(host->match({.provider = "syscall", .function = "read"}).empty());
  EXPECT_EQ(count_descriptors(), descriptors);
  EXPECT_FALSE(has_mapped_types());
}

TEST(LiveFacts, MatchThisMachine) {
  auto host = make_live_host();
  const MachineFacts& facts = host->facts();
  EXPECT_GE(facts.cpu_count, static_cast<uint32_t>(::sysconf(_SC_NPROCESSORS_ONLN)));
  EXPECT_GE(facts.max_stack_frames, 1U);
  EXPECT_FALSE(facts.kernel_release.empty());
}

TEST(Tracefs, ReadsFilesAndLists) {
  auto id = read_tracepoint_id("sched", "sched_switch");
  if (!id) GTEST_SKIP() << id.error().message();
  EXPECT_GT(*id, 0U);
  auto list = list_tracefs("events/sched/sched_switch");
  ASSERT_TRUE(list);
  EXPECT_TRUE(std::binary_search(list->begin(), list->end(), "format"));
  EXPECT_FALSE(read_tracefs("events/no_such/file"));
  EXPECT_FALSE(list_tracefs("events/no_such"));
}

}  // namespace
}  // namespace dscope
