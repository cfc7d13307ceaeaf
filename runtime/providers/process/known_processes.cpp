#include "runtime/providers/process/known_processes.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "runtime/elf/process_maps.h"
#include "runtime/providers/provider.h"
#include "support/format.h"
#include "support/text/parse_integer.h"

namespace dscope {
namespace {

// Whether the process exists, but /proc does not show it: mount option hidepid.
bool is_hidden(uint32_t pid) { return ::kill(static_cast<pid_t>(pid), 0) < 0 && errno == EPERM; }

// Why the process may not be inspected, as an errno; 0 if it may be, or has no memory. With CAP_PERFMON, recent kernels
// show the maps of all processes, but not their files.
int inspection_error(const std::string& proc) {
  char target = 0;
  if (::readlink((proc + "/exe").c_str(), &target, sizeof target) < 0 && (errno == EACCES || errno == EPERM))
    return errno;
  return Fd{::open((proc + "/maps").c_str(), O_RDONLY | O_CLOEXEC)} ? 0 : errno;
}

// Whether the process has no program any more; also while its exit goes on.
bool has_exited(uint32_t pid) {
  char target = 0;
  return ::readlink(fmt::format("/proc/{}/exe", pid).c_str(), &target, sizeof target) < 0 &&
         (errno == ENOENT || errno == ESRCH);
}

}  // namespace

ProbeMistake open_mistake(uint32_t pid) {
  ProbeMistake mistake{.tag = Tag::D_PROC_GRAB, .message = fmt::format("process {} cannot be traced: ", pid)};
  std::string proc = fmt::format("/proc/{}", pid);
  if (uint32_t process = process_of_thread(pid); process != 0) {
    mistake.message = fmt::format("{} is a thread of process {}", pid, process);
  } else if (::access(proc.c_str(), F_OK) != 0) {
    bool hides = is_hidden(pid);
    mistake.message +=
        hides ? "not permitted: /proc hides processes of other users (mount option hidepid)" : "it has exited";
    if (hides) mistake.hint = "run dscope as root, or as a member of the group that option gid of /proc names";
  } else if (int error = inspection_error(proc); error == 0) {
    mistake.message += "it is a kernel thread or has exited";
  } else {
    mistake.message += std::strerror(error);
    if ((error == EACCES || error == EPERM) && ::geteuid() != 0)
      mistake.hint = "run dscope as root or with CAP_SYS_PTRACE: it may not inspect this process";
  }
  return mistake;
}

std::vector<uint32_t> running_processes() {
  std::vector<uint32_t> pids;
  std::error_code problem;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", problem)) {
    auto pid = parse_integer<uint32_t>(entry.path().filename().native());
    if (pid && *pid != static_cast<uint32_t>(::getpid())) pids.push_back(*pid);
  }
  std::sort(pids.begin(), pids.end());
  return pids;
}

ProcessFunctions* KnownProcesses::open(uint32_t pid) {
  auto found = processes_.find(pid);
  if (found == processes_.end()) found = processes_.emplace(pid, ProcessFunctions::open(pid, files_)).first;
  return found->second ? &*found->second : nullptr;
}

void KnownProcesses::refresh(uint32_t process, uint32_t pid) {
  auto current = ProcessFunctions::open(pid, files_);
  // Asked after the mappings were read: they are complete if the program is still there.
  if (has_exited(pid)) {
    processes_.try_emplace(process, std::move(current));
    return;
  }
  processes_.insert_or_assign(process, std::move(current));
}

ProbeDescription KnownProcesses::as_published(uint32_t pid, ProbeDescription description) const {
  auto found = processes_.find(pid);
  if (found == processes_.end() || !found->second || !is_literal(description.module)) return description;
  for (size_t i = 0; i < found->second->size(); ++i) {
    const ProcessObject& object = found->second->object(i);
    if (!ProcessFunctions::is_named(object, description.module)) continue;
    description.module = object.name;
    break;
  }
  return description;
}

std::vector<uint32_t> KnownProcesses::pids() const {
  std::vector<uint32_t> pids;
  for (const auto& [pid, functions] : processes_)
    if (functions) pids.push_back(pid);
  return pids;
}

}  // namespace dscope
