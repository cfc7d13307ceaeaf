#include "site.h"

namespace dscope::oracle {

namespace {

// In the order of the trigger `calls each`.
constexpr const char* rare_calls[] = {"getpgid",
                                      "getsid",
                                      "sched_getscheduler",
                                      "sched_getparam",
                                      "getpriority",
                                      "getitimer",
                                      "sched_get_priority_max",
                                      "sysinfo",
                                      "getresuid",
                                      "sched_get_priority_min",
                                      "getresgid",
                                      "getgroups",
                                      "sched_rr_get_interval",
                                      "times",
                                      "mincore",
                                      "ioprio_get",
                                      "timer_getoverrun",
                                      "getcpu"};

// All clauses share one probe, or are distributed over the system calls.
Setting in_calls(bool has_one_site) {
  Setting setting{.arguments = {"-c", DSCOPE_TRIGGERS "/calls each 1"}, .ends_by_itself = true};
  for (const char* call : rare_calls)
    for (const char* name : {"entry", "return"})
      setting.sites.push_back({.probe = std::string("syscall:vmlinux:") + call + ":" + name,
                               .guard = "pid == $target",
                               .execname = "calls",
                               .has_user_memory = std::string(name) == "entry"});
  if (has_one_site) setting.sites.resize(1);
  return setting;
}

Setting in_timer(const char* probe) { return {.sites = {{.probe = probe}}, .arguments = {"-x", "cpu=0"}}; }

uint32_t random_strsize(std::mt19937_64& random) {
  static constexpr uint32_t strsizes[] = {256, 256, 8, 15, 16, 33, 64, 100, 512};
  return strsizes[random() % std::size(strsizes)];
}

}  // namespace

Setting random_setting(std::mt19937_64& random) {
  Setting setting;
  switch (random() % 10) {
    case 0: setting = in_timer("profile:::tick-1ms"); break;
    case 1: setting = in_timer("profile:::profile-1999"); break;
    case 2: setting = in_calls(true); break;
    case 3:
    case 4:
    case 5: setting = in_calls(false); break;
    default: setting.sites = {{.probe = "dtrace:::BEGIN", .execname = "dscope"}}; break;
  }
  setting.strsize = random_strsize(random);
  return setting;
}

Setting native_setting(std::mt19937_64& random) {
  Setting setting{.sites = {{.probe = "dtrace:::BEGIN", .execname = "dscope"}}, .is_native = true};
  setting.strsize = random_strsize(random);
  return setting;
}

Setting concurrent_setting(std::mt19937_64& random) {
  Setting setting{.arguments = {"-c", DSCOPE_TRIGGERS "/calls threads 2 200"}, .ends_by_itself = true};
  setting.sites.push_back({.probe = "syscall:vmlinux:getppid:entry",
                           .guard = "pid == $target",
                           .execname = "calls",
                           .has_user_memory = true,
                           .threads = 2,
                           .events = 200});
  setting.strsize = random_strsize(random);
  return setting;
}

}  // namespace dscope::oracle
