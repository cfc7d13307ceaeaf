// The processes exchange packets over a socket: a byte that selects parameters, then the name; the answer is the text.
#include "codegen/core/demangle_child.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <cstdio>

namespace dscope {

namespace {

constexpr rlim_t max_growth = 256 << 20;  // bytes of address space beyond those of the parent

// The size of this process's address space in bytes.
rlim_t address_space() {
  unsigned long pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "re")) {
    if (std::fscanf(file, "%lu", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
}

void set_limit(__rlimit_resource resource, rlim_t value) {
  rlimit limit{.rlim_cur = value, .rlim_max = value};
  ::setrlimit(resource, &limit);
}

// Gives up everything that the parent has open, and memory and core dumps beyond need.
void confine(int channel) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (int fatal : {SIGSEGV, SIGBUS, SIGABRT, SIGTERM}) ::signal(fatal, SIG_DFL);
  ::dup2(channel, 0);
  ::syscall(SYS_close_range, 1U, ~0U, 0U);
  set_limit(RLIMIT_AS, address_space() + max_growth);
  set_limit(RLIMIT_STACK, 8 << 20);
  set_limit(RLIMIT_CORE, 0);
}

[[noreturn]] void serve(DemangleChild::Demangle demangle) {
  std::string request(DemangleChild::max_name + 1, '\0');
  for (;;) {
    ssize_t size = ::recv(0, request.data(), request.size(), 0);
    if (size < 1) ::_exit(0);
    std::string text = demangle(std::string_view{request}.substr(1, static_cast<size_t>(size) - 1), request[0] != 0);
    if (text.size() > DemangleChild::max_text) ::_exit(1);
    if (::send(0, text.data(), text.size(), MSG_NOSIGNAL) < 0) ::_exit(1);
  }
}

}  // namespace

bool DemangleChild::start() {
  if (child_ != 0) return true;
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return false;
  Fd ours{ends[0]}, theirs{ends[1]};
  child_ = ::fork();
  if (child_ == 0) {
    confine(theirs.get());
    serve(demangle_);
  }
  if (child_ < 0) {
    child_ = 0;
    return false;
  }
  channel_ = std::move(ours);
  return true;
}

void DemangleChild::stop() {
  if (child_ == 0) return;
  channel_.reset();
  ::kill(child_, SIGKILL);
  ::waitpid(child_, nullptr, 0);
  child_ = 0;
}

std::optional<std::string> DemangleChild::run(std::string_view name, bool has_parameters) {
  if (name.size() > max_name || failures_ == max_failures || !start()) return std::nullopt;
  std::string request = std::string(1, has_parameters ? '\1' : '\0').append(name);
  if (::send(channel_.get(), request.data(), request.size(), MSG_NOSIGNAL) >= 0) {
    std::string text(max_text + 1, '\0');
    pollfd answer{.fd = channel_.get(), .events = POLLIN};
    if (::poll(&answer, 1, max_milliseconds) > 0) {
      ssize_t size = ::recv(channel_.get(), text.data(), text.size(), 0);
      if (size > 0) return text.substr(0, static_cast<size_t>(size));
    }
  }
  ++failures_;
  stop();
  return std::nullopt;
}

}  // namespace dscope
