// One function per kind of hook. Attachments are held by descriptors only: when the process dies, the kernel detaches.
#include "runtime/attach/attach.h"

#include <bpf/bpf.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "runtime/attach/function_links.h"
#include "runtime/attach/uprobe_links.h"
#include "runtime/attach/watch_events.h"
#include "runtime/kernel/cpu_pin.h"
#include "runtime/kernel/perf_event.h"
#include "runtime/kernel/tracefs.h"
#include "support/check.h"

namespace dscope {
namespace {

// Closing a raw tracepoint takes 0.13 ms: more of them than this are closed by the child.
constexpr size_t max_links_to_close = 64;

// bpf(BPF_RAW_TRACEPOINT_OPEN) with the cookie of Linux 6.10; older kernels require 0. `name` is null for a program
// that was loaded for one tracepoint.
Fd open_raw_tracepoint(const char* name, int program_fd, uint64_t cookie) {
  struct {
    uint64_t name;
    uint32_t program_fd;
    uint32_t reserved;
    uint64_t cookie;
  } attributes{reinterpret_cast<uint64_t>(name), static_cast<uint32_t>(program_fd), 0, cookie};
  return Fd{static_cast<int>(::syscall(SYS_bpf, BPF_RAW_TRACEPOINT_OPEN, &attributes, sizeof attributes))};
}

}  // namespace

Result<> fire(const FiredProgram& program) {
  // TEST_RUN can choose the CPU itself, but would then run the program in an interrupt, without a current process.
  CpuPin pin{program.cpu};
  // The program's context: argument words of a raw tracepoint, the first of which is the cookie here.
  std::array<uint64_t, 12> context{program.cookie};
  LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = context.data(), .ctx_size_in = sizeof context);
  int status = bpf_prog_test_run_opts(program.program_fd, &opts);
  if (status < 0) return fail(Error::from_errno(-status, "cannot fire {}", program.name));
  return {};
}

class Attacher {
 public:
  Attacher(int only_cpu, Progress* progress) : only_cpu_(only_cpu), progress_(progress) {}

  Result<AttachedPrograms> attach_all(std::span<const LoadedProgram> programs) {
    size_t count = 0, number = 0;
    for (const LoadedProgram& program : programs) count += program.attachments.size();
    auto attach_program = [&](const LoadedProgram& program) -> Result<> {
      for (const Attachment& attachment : program.attachments) {
        show(progress_, "attaching to probe", ++number, count);
        DS_TRY_VOID(attach(program, attachment));
      }
      return attach_functions(program);
    };
    for (const LoadedProgram& program : programs)
      if (!is_of_functions(program)) DS_TRY_VOID(attach_program(program));
    // The kernel runs programs at the same instruction or function in reverse order of attachment.
    for (auto program = programs.rbegin(); program != programs.rend(); ++program)
      if (is_of_functions(*program)) DS_TRY_VOID(attach_program(*program));
    for (auto program = programs.rbegin(); program != programs.rend(); ++program) DS_TRY_VOID(attach_uprobes(*program));
    DS_TRY_VOID(check_functions());
    result_.omitted_functions_ = functions_.omitted();
    return std::move(result_);
  }

 private:
  using Links = std::vector<AttachedPrograms::Link>;

  static void add(Links& links, const LoadedProgram& program, Fd link) {
    links.push_back({.fd = std::move(link), .program_fd = program.fd.get()});
  }

  static bool is_of_functions(const LoadedProgram& program) {
    return !program.attachments.empty() && std::holds_alternative<HookFunction>(program.attachments.front().hook);
  }

  Result<> attach(const LoadedProgram& program, const Attachment& attachment) {
    uint64_t cookie = program.plan->row_source == RowSource::Cookie ? attachment.cookie : 0;
    return std::visit(
        Overloaded{
            [&](const HookTestRun& hook) { return add_fired(program, hook, cookie); },
            [&](const HookTimer& hook) { return attach_timer(program, hook.period_ns, cookie); },
            [&](const HookPerfClock& hook) { return attach_event(program, clock_event(hook.period_ns), cookie); },
            [&](const HookPerfEvent& hook) { return attach_event(program, hook, cookie); },
            [&](const HookSyscall& hook) {
              return attach_raw_tracepoint(program, hook.is_return ? "sys_exit" : "sys_enter", cookie);
            },
            [&](const HookRawTracepoint& hook) { return attach_raw_tracepoint(program, hook.name, cookie); },
            [&](const HookTracepoint& hook) { return attach_tracepoint(program, hook, cookie); },
            [](const HookUprobe&) { return Result<>{}; },  // attach_uprobes() attaches all of a program together
            [&](const HookFunction& hook) { return attach_function(program, hook, cookie); },
            [&](const HookIterator& hook) { return add_iterator(program, hook); },
            [&](const HookWatch& hook) { return attach_watch(program, hook); },
        },
        attachment.hook);
  }

  Result<> attach_uprobes(const LoadedProgram& program) {
    for (const Attachment& attachment : program.attachments)
      if (const auto* hook = std::get_if<HookUprobe>(&attachment.hook)) uprobes_.add(*hook, attachment.cookie);
    DS_TRY(std::vector<Fd> links, uprobes_.attach(program.fd.get(), program.plan->name));
    for (Fd& link : links) add(result_.slow_, program, std::move(link));
    result_.omitted_rows_ = uprobes_.omitted_rows();
    result_.single_uprobes_ = uprobes_.single_uprobes();
    return {};
  }

  Result<> attach_function(const LoadedProgram& program, const HookFunction& hook, uint64_t cookie) {
    switch (hook.mechanism) {
      case FunctionMechanism::Multi: functions_.add(hook, cookie); return {};
      case FunctionMechanism::Kprobe: {
        auto event = functions_.open_kprobe(hook);
        if (!event) return omit_function(program, event.error().error_number());
        ++single_functions_[program.plan].attached;
        return link_enabled_event(program, std::move(*event), cookie, result_.slow_);
      }
      case FunctionMechanism::Security:
      case FunctionMechanism::Trampoline: {
        auto link = FunctionLinks::attach_trampoline(program.fd.get(), hook);
        if (!link) return omit_function(program, link.error().error_number());
        ++single_functions_[program.plan].attached;
        add(result_.slow_, program, std::move(*link));
        return {};
      }
    }
    DS_UNREACHABLE();
  }

  Result<> attach_functions(const LoadedProgram& program) {
    DS_TRY(std::vector<Fd> links, functions_.attach(program.fd.get(), program.plan->name));
    for (Fd& link : links) add(result_.slow_, program, std::move(link));
    return {};
  }

  Result<> omit_function(const LoadedProgram& program, int error_number) {
    if (!is_refusal_of_function(error_number)) return fail(failure(program, error_number));
    functions_.count_omitted();
    single_functions_[program.plan].refusal = error_number;
    return {};
  }

  // Error if the kernel has refused all functions of a program.
  Result<> check_functions() {
    for (const auto& [plan, functions] : single_functions_)
      if (functions.attached == 0)
        return fail(Error::make(
            "cannot attach to {}: the kernel cannot put a probe there ({})", plan->name,
            ::strerrorname_np(functions.refusal) != nullptr ? ::strerrorname_np(functions.refusal) : "ENOTSUPP"));
    return {};
  }

  Error failure(const LoadedProgram& program, int error_number) const {
    Error error = Error::from_errno(error_number, "cannot attach to {}", program.plan->name);
    if (error_number != EMFILE) return error;
    return std::move(error).hint("raise the limit of open files: `ulimit -Hn 65536`, as root");
  }

  Result<> add_fired(const LoadedProgram& program, const HookTestRun& hook, uint64_t cookie) {
    FiredProgram fired{.program_fd = program.fd.get(), .cookie = cookie, .cpu = only_cpu_, .name = program.plan->name};
    switch (hook.role) {
      case HookTestRun::Role::Begin: result_.begin_.push_back(std::move(fired)); break;
      case HookTestRun::Role::End: result_.end_.push_back(std::move(fired)); break;
      case HookTestRun::Role::Error: break;  // fired by the programs that fault
    }
    return {};
  }

  Result<> attach_timer(const LoadedProgram& program, uint64_t period_ns, uint64_t cookie) {
    if (program.plan->context == BpfContext::PerfEvent) return attach_clock_on_one_cpu(program, period_ns, cookie);
    result_.timers_.push_back({.program_fd = program.fd.get(),
                               .cookie = cookie,
                               .period_ns = period_ns,
                               .cpu = only_cpu_,
                               .name = program.plan->name});
    return {};
  }

  // A program that looks up its row itself is attached once per tracepoint, however many probes it serves.
  Result<> attach_raw_tracepoint(const LoadedProgram& program, const std::string& name, uint64_t cookie) {
    bool passes_cookie = program.plan->row_source == RowSource::Cookie && !program.plan->cookie_by_copy;
    if (!passes_cookie) cookie = 0;
    if (!passes_cookie && !attached_tracepoints_.emplace(program.fd.get(), name).second) return {};
    const char* tracepoint = program.plan->has_typed_context ? nullptr : name.c_str();
    Fd link = open_raw_tracepoint(tracepoint, program.fd.get(), cookie);
    if (!link && errno == ENOENT)
      return fail(Error::make("cannot attach to {}: this kernel has no tracepoint {}", program.plan->name, name));
    if (!link) return fail(failure(program, errno));
    add(result_.fast_, program, std::move(link));
    return {};
  }

  static HookPerfEvent clock_event(uint64_t period_ns) {
    return {.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK, .period = period_ns};
  }

  Result<> attach_event(const LoadedProgram& program, const HookPerfEvent& hook, uint64_t cookie) {
    if (only_cpu_ >= 0) return attach_event_on(program, hook, cookie, only_cpu_);
    bool has_any = false;
    long cpus = ::sysconf(_SC_NPROCESSORS_CONF);
    for (int cpu = 0; cpu < cpus; ++cpu) {
      auto attached = attach_event_on(program, hook, cookie, cpu);
      if (!attached && attached.error().error_number() == ENODEV) continue;  // the CPU is offline
      DS_TRY_VOID(std::move(attached));
      has_any = true;
    }
    return has_any ? Result<>{} : fail(failure(program, ENODEV));
  }

  Result<> attach_clock_on_one_cpu(const LoadedProgram& program, uint64_t period_ns, uint64_t cookie) {
    int cpu = only_cpu_ >= 0 ? only_cpu_ : std::max(0, ::sched_getcpu());
    return attach_event_on(program, clock_event(period_ns), cookie, cpu);
  }

  Result<> attach_event_on(const LoadedProgram& program, const HookPerfEvent& hook, uint64_t cookie, int cpu) {
    Fd event = open_perf_event(hook, cpu);
    if (!event && (errno == ENOSPC || errno == EBUSY || errno == EMFILE))
      return fail(Error::from_errno(errno, "cannot attach to {} on CPU {}", program.plan->name, cpu)
                      .hint("a processor counts only a few events at a time"));
    if (!event) return fail(failure(program, errno));
    return link_enabled_event(program, std::move(event), cookie, result_.fast_);
  }

  Result<> add_iterator(const LoadedProgram& program, const HookIterator& hook) {
    DS_TRY(AttachedIterator iterator, attach_iterator(program.fd.get(), hook, program.plan->name));
    result_.iterators_.push_back(std::move(iterator));
    return {};
  }

  Result<> attach_watch(const LoadedProgram& program, const HookWatch& hook) {
    auto events = open_watch_events(hook, only_cpu_);
    if (!events) return fail(std::move(events).error().with_context("cannot attach to " + program.plan->name));
    for (Fd& event : *events) DS_TRY_VOID(link_enabled_event(program, std::move(event), 0, result_.fast_));
    return {};
  }

  // The event is opened for one CPU, but programs run on every CPU that hits the tracepoint. It has no sample period:
  // kernels refuse to sample the interrupts that sampling itself causes (irq_vectors:irq_work_exit). The event stays
  // disabled: programs run without it, and scheduling it would interrupt its CPU, half of the cost of attaching.
  Result<> attach_tracepoint(const LoadedProgram& program, const HookTracepoint& hook, uint64_t cookie) {
    DS_TRY(uint64_t id, read_tracepoint_id(hook.category, hook.name));
    perf_event_attr attributes{};
    attributes.type = PERF_TYPE_TRACEPOINT;
    attributes.disabled = 1;
    attributes.config = id;
    Fd event = open_perf_event(attributes, std::max(0, only_cpu_));
    if (!event) return fail(failure(program, errno));
    return link_event(program, std::move(event), cookie, result_.slow_);
  }

  Result<> link_event(const LoadedProgram& program, Fd event, uint64_t cookie, Links& links) {
    LIBBPF_OPTS(bpf_link_create_opts, opts);
    opts.perf_event.bpf_cookie = cookie;
    int link = bpf_link_create(program.fd.get(), event.get(), BPF_PERF_EVENT, &opts);
    if (link < 0) return fail(failure(program, -link));
    add(links, program, Fd{link});
    add(links, program, std::move(event));
    return {};
  }

  Result<> link_enabled_event(const LoadedProgram& program, Fd event, uint64_t cookie, Links& links) {
    DS_TRY_VOID(link_event(program, std::move(event), cookie, links));
    if (::ioctl(links.back().fd.get(), PERF_EVENT_IOC_ENABLE, 0) < 0) return fail(failure(program, errno));
    return {};
  }

  int only_cpu_;
  Progress* progress_;
  AttachedPrograms result_;
  std::set<std::pair<int, std::string>> attached_tracepoints_;  // program, tracepoint
  UprobeLinks uprobes_;                                         // of the program being attached
  FunctionLinks functions_;
  // Functions with a link each, not with one link for all.
  struct SingleFunctions {
    size_t attached = 0;
    int refusal = 0;  // errno of the last function that was refused
  };
  std::map<const BpfProgramPlan*, SingleFunctions> single_functions_;
};

Result<AttachedPrograms> AttachedPrograms::attach(std::span<const LoadedProgram> programs, int only_cpu,
                                                  Progress* progress) {
  return Attacher{only_cpu, progress}.attach_all(programs);
}

namespace {

// Closes every descriptor except `kept` (sorted), so that the child keeps no pipe or terminal open.
void close_all_but(const std::vector<int>& kept) {
  unsigned first = 0;
  for (int fd : kept) {
    if (static_cast<unsigned>(fd) > first) ::close_range(first, static_cast<unsigned>(fd) - 1, 0);
    first = static_cast<unsigned>(fd) + 1;
  }
  ::close_range(first, ~0u, 0);
}

// Forks a process that holds copies of the descriptors until `release` is closed. Closing them in this process is then
// fast, and the exit of the forked one detaches. It is a grandchild: its parent exits at once, so that no zombie
// remains.
void close_in_child(const std::vector<int>& fds, Fd& release) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) < 0) return;
  Fd wait_end{ends[0]};
  release = Fd{ends[1]};
  std::vector<int> kept = fds;
  kept.push_back(wait_end.get());
  std::sort(kept.begin(), kept.end());
  pid_t child = ::fork();
  if (child > 0) ::waitpid(child, nullptr, 0);
  if (child != 0) return;
  if (::fork() == 0) {
    ::setsid();  // out of the reach of Ctrl-C
    close_all_but(kept);
    char nothing;
    while (::read(wait_end.get(), &nothing, 1) < 0 && errno == EINTR) {
    }
  }
  ::_exit(0);
}

}  // namespace

void AttachedPrograms::close(std::vector<Link> fast, std::vector<Link> slow) {
  if (slow.empty() && fast.size() <= max_links_to_close) return;
  Fd release;  // closed after the links
  std::vector<int> fds;
  for (const auto* list : {&fast, &slow})
    for (const Link& link : *list) fds.push_back(link.fd.get());
  close_in_child(fds, release);
  slow.clear();
  fast.clear();
}

void AttachedPrograms::detach() { close(std::exchange(fast_, {}), std::exchange(slow_, {})); }

bool AttachedPrograms::has_links(int program_fd) const {
  auto is_of_program = [&](const Link& link) { return link.program_fd == program_fd; };
  return std::ranges::any_of(fast_, is_of_program) || std::ranges::any_of(slow_, is_of_program);
}

void AttachedPrograms::suspend(int program_fd) {
  auto take = [&](std::vector<Link>& links) {
    auto first = std::stable_partition(links.begin(), links.end(),
                                       [&](const Link& link) { return link.program_fd != program_fd; });
    std::vector<Link> taken(std::make_move_iterator(first), std::make_move_iterator(links.end()));
    links.erase(first, links.end());
    return taken;
  };
  std::vector<Link> fast = take(fast_);
  close(std::move(fast), take(slow_));
}

Result<> AttachedPrograms::resume(const LoadedProgram& program, int only_cpu) {
  DS_TRY(AttachedPrograms again, attach(std::span{&program, 1}, only_cpu));
  std::ranges::move(again.fast_, std::back_inserter(fast_));
  std::ranges::move(again.slow_, std::back_inserter(slow_));
  again.fast_.clear();
  again.slow_.clear();
  return {};
}

}  // namespace dscope
