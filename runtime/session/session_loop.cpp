#include "runtime/session/session_loop.h"

#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <set>
#include <utility>

#include "runtime/targets/thread_holds.h"

namespace dscope {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// Wait between passes over the ring: the minimum while records arrive, doubled up to the maximum while none do.
constexpr nanoseconds min_wait = milliseconds{10}, max_wait = milliseconds{50};
// Wait while the ring fills quickly.
constexpr nanoseconds flood_wait = milliseconds{1};
constexpr nanoseconds clock_period = std::chrono::seconds{1};
// Periodic work that is due this soon is done now, so that a process that waits most of the time wakes once for all.
constexpr nanoseconds early_work = milliseconds{100};
// Missed ticks are fired late, but not those of a suspended machine, and only for a bounded time: a tick whose output
// takes longer than its period would fall behind ever further.
constexpr uint64_t max_late_ticks = 1000;
constexpr nanoseconds max_late_tick_time = milliseconds{50};

// The user data of an epoll event: a source, or first_timer + index of a timer.
enum Source : uint32_t {
  signal_source,
  ring_source,
  target_source,
  stop_source,
  library_source,
  module_source,
  unwind_source,
  symbol_source,
  first_timer
};

class SessionLoop {
 public:
  explicit SessionLoop(LoopParts parts) : parts_(std::move(parts)) {}

  Result<> run() {
    DS_TRY_VOID(watch_everything());
    Clock::time_point now = Clock::now();
    next_pass_ = now + pass_wait();
    next_status_ = now + nanoseconds{parts_.status_period_ns};
    next_clock_ = now + clock_period;
    if (int64_t duration = parts_.consumer.options().number(OptionId::Duration); duration >= 0)
      end_ = nanoseconds{duration} < Clock::time_point::max() - now ? now + nanoseconds{duration} : end_;
    // Targets may have ended before they were resumed.
    have_targets_ended_ = parts_.targets.all_ended();
    while (!is_finished()) DS_TRY_VOID(step());
    return {};
  }

 private:
  bool is_finished() const {
    return parts_.signals.count() > 0 || have_targets_ended_ || parts_.out.error() != 0 || !parts_.state.is_tracing() ||
           Clock::now() >= end_;
  }

  Result<> watch_everything() {
    epoll_ = Fd{::epoll_create1(EPOLL_CLOEXEC)};
    if (!epoll_) return fail(Error::from_errno(errno, "cannot create an epoll descriptor"));
    DS_TRY_VOID(watch(parts_.signals.fd(), EPOLLIN, signal_source));
    // Edge-triggered: the ring is always readable while it has records, and these can wait for the timer.
    for (int fd : parts_.ring.fds()) DS_TRY_VOID(watch(fd, EPOLLIN | EPOLLET, ring_source));
    for (int fd : parts_.targets.exit_fds()) DS_TRY_VOID(watch(fd, EPOLLIN | EPOLLONESHOT, target_source));
    if (int fd = parts_.targets.stop_fd(); fd >= 0) DS_TRY_VOID(watch(fd, EPOLLIN, stop_source));
    for (int fd : parts_.libraries.fds()) DS_TRY_VOID(watch(fd, EPOLLIN | EPOLLET, library_source));
    for (int fd : parts_.symbols.event_fds()) DS_TRY_VOID(watch(fd, EPOLLIN | EPOLLET, symbol_source));
    if (int fd = module_events(); fd >= 0) DS_TRY_VOID(watch(fd, EPOLLIN | EPOLLET, module_source));
    if (parts_.unwind_tables != nullptr)
      DS_TRY_VOID(watch(parts_.unwind_tables->fd(), EPOLLIN | EPOLLET, unwind_source));
    for (const FiredProgram& timer : parts_.timers) DS_TRY_VOID(start_timer(timer));
    return {};
  }

  Result<> watch(int fd, uint32_t events, uint32_t source) {
    epoll_event event{.events = events, .data = {.u32 = source}};
    if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) == 0) return {};
    return fail(Error::from_errno(errno, "cannot wait for events"));
  }

  Result<> start_timer(const FiredProgram& timer) {
    Fd fd{::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)};
    timespec period{.tv_sec = static_cast<time_t>(timer.period_ns / 1'000'000'000),
                    .tv_nsec = static_cast<long>(timer.period_ns % 1'000'000'000)};
    itimerspec setting{.it_interval = period, .it_value = period};
    if (!fd || ::timerfd_settime(fd.get(), 0, &setting, nullptr) < 0)
      return fail(Error::from_errno(errno, "cannot create a timer for {}", timer.name));
    DS_TRY_VOID(watch(fd.get(), EPOLLIN, first_timer + static_cast<uint32_t>(timer_fds_.size())));
    timer_fds_.push_back(std::move(fd));
    return {};
  }

  Result<> step() {
    bool is_ring_urgent = false;
    std::array<epoll_event, 64> events;
    int count = ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), timeout_ms());
    if (count < 0 && errno != EINTR) return fail(Error::from_errno(errno, "cannot wait for events"));
    for (int i = 0; i < count; ++i) {
      uint32_t source = events[static_cast<size_t>(i)].data.u32;
      if (source == signal_source) parts_.signals.acknowledge();
      if (source == ring_source) is_ring_urgent = true;
      if (source == target_source) have_targets_ended_ = parts_.targets.all_ended();
      if (source == stop_source) handle_stops();
      if (source == library_source) handle_libraries();
      if (source == module_source) handle_modules();
      if (source == unwind_source) handle_unwinding();
      if (source == symbol_source) parts_.symbols.process_events();
      if (source >= first_timer) DS_TRY_VOID(tick(source - first_timer));
    }
    Clock::time_point now = Clock::now();
    if (is_ring_urgent || now >= next_pass_) consume_ring(now);
    else if (now >= parts_.consumer.pictures_due()) parts_.consumer.update_pictures();
    return run_periodic_work(now);
  }

  int timeout_ms() const {
    Clock::time_point budget_due = parts_.budget != nullptr ? parts_.budget->due() : Clock::time_point::max();
    auto wait = std::min({next_pass_, next_status_, next_clock_, end_, budget_due, parts_.consumer.pictures_due()}) -
                Clock::now();
    auto rounded = std::chrono::ceil<milliseconds>(wait).count();
    return static_cast<int>(std::clamp<int64_t>(rounded, 0, 1000));
  }

  Result<> tick(uint32_t index) {
    uint64_t expirations = 0;
    if (::read(timer_fds_[index].get(), &expirations, sizeof expirations) != sizeof expirations) return {};
    expirations = std::min(expirations, max_late_ticks);
    Clock::time_point deadline = Clock::now() + max_late_tick_time;
    DS_TRY_VOID(fire(parts_.timers[index]));
    for (uint64_t i = 1; i < expirations && !is_finished(); ++i) {
      // Late ticks fire faster than the regular passes empty the ring.
      parts_.pump.pass();
      if (Clock::now() >= deadline) break;
      DS_TRY_VOID(fire(parts_.timers[index]));
    }
    return {};
  }

  nanoseconds pass_wait() const {
    // setopt() may change the option at any time; 0: adaptive.
    int64_t period = parts_.consumer.options().number(OptionId::Switchrate);
    if (period <= 0) return idle_wait_;
    return std::max<nanoseconds>(nanoseconds{period}, milliseconds{1});
  }

  void handle_stops() {
    parts_.targets.handle_stops({.on_fork =
                                     [&](pid_t parent, pid_t child) {
                                       parts_.libraries.add_child(static_cast<uint32_t>(parent),
                                                                  static_cast<uint32_t>(child));
                                     },
                                 .on_exec = parts_.on_exec,
                                 .on_load = [&] { handle_libraries(); }},
                                parts_.signals.fd());
    if (parts_.awaits_probes()) return;
    parts_.libraries.stop_at_loads(false);
    parts_.targets.stop_waiting_at_loads();
  }

  void handle_libraries() {
    for (uint32_t pid : parts_.libraries.processes_with_new_code()) {
      parts_.libraries.remember_mappings(pid);  // first, so that everything mapped from now on is new
      parts_.on_exec(pid);
    }
    handle_files(parts_.libraries.take_new_files());
  }

  // Stops the threads that mapped the files while their probes are attached. A thread that mapped its file more than 5
  // ms ago may be blocked in a system call by now, which the stop would interrupt, so it is left alone.
  void handle_files(const std::vector<LibraryWatch::MappedFile>& files) {
    constexpr nanoseconds max_age = milliseconds{5};
    std::set<uint32_t> held;
    for (const LibraryWatch::MappedFile& file : files)
      if (file.thread != 0 && Clock::now().time_since_epoch() - nanoseconds{file.time_ns} < max_age &&
          holds_.hold(static_cast<pid_t>(file.thread)))
        held.insert(file.thread);
    for (const LibraryWatch::MappedFile& file : files)
      parts_.on_file(file, file.thread != 0 && !held.contains(file.thread));
    holds_.release();
  }

  int module_events() const { return parts_.modules != nullptr ? parts_.modules->fd() : -1; }

  void handle_modules() {
    if (parts_.modules == nullptr) return;
    if (auto names = parts_.modules->loaded_modules(); !names.empty()) parts_.on_modules(names);
  }

  // The copies come first: their processes may exit while tables are read.
  void handle_unwinding() {
    if (parts_.stack_copies != nullptr) {
      parts_.symbols.process_events();
      parts_.stack_copies->read();
    }
    if (parts_.unwind_tables != nullptr) parts_.unwind_tables->handle_misses();
  }

  void consume_ring(Clock::time_point now) {
    parts_.symbols.process_events();
    handle_libraries();
    handle_modules();
    handle_unwinding();
    bool was_filling = parts_.ring.is_filling();
    size_t count = parts_.pump.pass();
    parts_.consumer.update_pictures();
    idle_wait_ = count > 0 ? min_wait : std::min(idle_wait_ * 2, max_wait);
    if (was_filling) idle_wait_ = flood_wait;
    // If the pass has left much in the ring, the next one follows at once, after a check of signals and timers. The
    // last few records of a flood can wait: polling for them would only keep this CPU busy.
    next_pass_ = count > 0 && parts_.ring.is_filling() ? now : now + pass_wait();
  }

  Result<> run_periodic_work(Clock::time_point now) {
    if (now + early_work >= next_clock_) {
      parts_.state.update_clock();
      next_clock_ = now + clock_period;
    }
    if (parts_.budget != nullptr) parts_.budget->poll();
    nanoseconds status_period{parts_.status_period_ns};
    if (now + std::min(early_work, status_period / 4) >= next_status_) {
      DS_TRY(DropCounters counters, parts_.drops.read());
      parts_.consumer.report_drops(counters);
      next_status_ = now + status_period;
    }
    return {};
  }

  LoopParts parts_;
  ThreadHolds holds_;
  Fd epoll_;
  std::vector<Fd> timer_fds_;  // parallel to parts_.timers
  bool have_targets_ended_ = false;
  nanoseconds idle_wait_ = min_wait;
  Clock::time_point next_pass_, next_status_, next_clock_;
  Clock::time_point end_ = Clock::time_point::max();  // option duration
};

}  // namespace

Result<> run_session_loop(LoopParts parts) { return SessionLoop{std::move(parts)}.run(); }

}  // namespace dscope
