#include "driver/web/supervised.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <iterator>

#include "driver/run/messages.h"

namespace dscope {

namespace {

// Signals to end are for the supervisor, which ends its processes. A terminal and systemd send them to all.
void ignore_end_signals() {
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) ::signal(signal, SIG_IGN);
}

}  // namespace

Result<ServerProcess> start_server(const std::string& name, const std::function<Result<>(Channel channel)>& serve) {
  DS_TRY(auto ends, Channel::make_pair());
  pid_t pid = ::fork();
  if (pid < 0) return fail(Error::from_errno(errno, "cannot start the web server"));
  if (pid != 0) return ServerProcess{.pid = pid, .channel = std::move(ends.first)};
  {
    Channel supervisor = std::move(ends.first);
  }
  ignore_end_signals();
  ::prctl(PR_SET_NAME, "dscope-http");
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  auto served = serve(std::move(ends.second));
  ::_exit(served ? 0 : report(name, served.error()));
}

Result<PusherProcess> start_pusher(const std::string& name, const std::function<Result<>(PushLink link)>& push) {
  DS_TRY(auto ends, PushLink::make_pair());
  pid_t pid = ::fork();
  if (pid < 0) return fail(Error::from_errno(errno, "cannot start the process that pushes metrics"));
  if (pid != 0) return PusherProcess{.pid = pid, .link = std::move(ends.first)};
  {
    PushLink server = std::move(ends.first);
  }
  ignore_end_signals();
  ::prctl(PR_SET_NAME, "dscope-otlp");
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  auto pushed = push(std::move(ends.second));
  ::_exit(pushed ? 0 : report(name, pushed.error()));
}

Result<Signals> Signals::take() {
  sigset_t set;
  ::sigemptyset(&set);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD}) ::sigaddset(&set, signal);
  ::sigprocmask(SIG_BLOCK, &set, nullptr);
  Fd fd{::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK)};
  if (!fd) return fail(Error::from_errno(errno, "cannot receive signals"));
  return Signals{std::move(fd)};
}

std::vector<int> Signals::arrived() {
  std::vector<int> signals;
  signalfd_siginfo signal{};
  while (::read(fd_.get(), &signal, sizeof signal) == sizeof signal)
    signals.push_back(static_cast<int>(signal.ssi_signo));
  return signals;
}

void wait_for(const Signals& signals, const Channel& channel) {
  pollfd waited[] = {{.fd = channel.fd(), .events = POLLIN, .revents = 0},
                     {.fd = signals.fd(), .events = POLLIN, .revents = 0}};
  ::poll(waited, std::size(waited), -1);
}

}  // namespace dscope
