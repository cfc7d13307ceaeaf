#include "runtime/attach/uprobe_links.h"

#include <bpf/bpf.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "arch/architecture.h"
#include "support/format.h"
#include "support/read_file.h"

namespace dscope {

namespace {

// bpf(BPF_LINK_CREATE).
Fd open_uprobes(int program_fd, const std::string& path, uint32_t pid, bool is_return,
                std::span<const uint64_t> offsets, std::span<const uint64_t> counters,
                std::span<const uint64_t> cookies) {
  constexpr uint32_t of_returns = 1;
  struct {
    uint32_t program_fd, target_fd, attach_type, flags;
    uint64_t path, offsets, reference_counters, cookies;
    uint32_t count, probe_flags, pid, reserved;
  } attributes{.program_fd = static_cast<uint32_t>(program_fd),
               .target_fd = 0,
               .attach_type = UprobeLinks::multi_attach_type,
               .flags = 0,
               .path = reinterpret_cast<uint64_t>(path.c_str()),
               .offsets = reinterpret_cast<uint64_t>(offsets.data()),
               .reference_counters = reinterpret_cast<uint64_t>(counters.data()),
               .cookies = reinterpret_cast<uint64_t>(cookies.data()),
               .count = static_cast<uint32_t>(offsets.size()),
               .probe_flags = is_return ? of_returns : 0,
               .pid = pid,
               .reserved = 0};
  return Fd{static_cast<int>(::syscall(SYS_bpf, BPF_LINK_CREATE, &attributes, sizeof attributes))};
}

constexpr int unsupported = 524;  // ENOTSUPP, the kernel's own
// Detaching more of them would take the kernel minutes.
constexpr size_t max_events = 1000;

// The type of perf events that are uprobes.
std::optional<uint32_t> uprobe_event_type() {
  auto text = read_file("/sys/bus/event_source/devices/uprobe/type");
  uint32_t type = 0;
  if (!text || std::from_chars(text->data(), text->data() + text->size(), type).ec != std::errc{}) return std::nullopt;
  return type;
}

// perf_event_open(2) for a uprobe; /sys/bus/event_source/devices/uprobe/format describes the fields.
Fd open_uprobe_event(uint32_t type, const std::string& path, uint32_t pid, bool is_return, uint64_t offset,
                     uint64_t counter) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = type;
  attributes.config = (is_return ? 1U : 0U) | counter << 32;
  attributes.config1 = reinterpret_cast<uint64_t>(path.c_str());
  attributes.config2 = offset;
  attributes.sample_period = 1;
  int task = pid == 0 ? -1 : static_cast<int>(pid), cpu = pid == 0 ? 0 : -1;
  return Fd{static_cast<int>(::syscall(SYS_perf_event_open, &attributes, task, cpu, -1, PERF_FLAG_FD_CLOEXEC))};
}

// Linux 6.18 replaces a nop of five bytes by a call. The return address that it pushes overwrites the data that a leaf
// function keeps below the stack pointer (the red zone).
bool becomes_call(std::span<const uint8_t> code) {
  constexpr std::array<uint8_t, 3> nop = {0x0f, 0x1f, 0x44};
  return code.size() >= nop.size() && std::ranges::equal(nop, code.first(nop.size()));
}

}  // namespace

void UprobeLinks::add(const HookUprobe& hook, uint64_t cookie) {
  if (hook.path.empty()) return;
  Group& group = groups_[{hook.path, hook.pid, hook.position == UprobePosition::Returned}];
  group.offsets.push_back(hook.offset);
  group.are_within.push_back(hook.position == UprobePosition::Within);
  group.counters.push_back(hook.semaphore_offset);
  group.cookies.push_back(cookie | uint64_t{static_cast<uint32_t>(hook.detail)} << 32);
}

Result<std::vector<Fd>> UprobeLinks::attach(int program_fd, const std::string& name) {
  std::vector<Fd> links;
  std::optional<Error> exited;
  for (auto& [target, group] : std::exchange(groups_, {})) {
    auto attached = attach_group(program_fd, name, target, std::move(group), links);
    if (attached) continue;
    // One of the processes has exited since its probes were found.
    if (attached.error().error_number() != ESRCH) return fail(std::move(attached).error());
    exited = std::move(attached).error();
  }
  if (links.empty() && exited) return fail(std::move(*exited));
  return links;
}

// Opens the file once: the owner of a directory may put another file or a symbolic link at the path at any time, and
// the kernel must probe the file whose code was checked.
Result<> UprobeLinks::attach_group(int program_fd, const std::string& name, Target target, Group group,
                                   std::vector<Fd>& links) {
  std::string& path = std::get<0>(target);
  Fd file{::open(path.c_str(), O_PATH | O_CLOEXEC)};
  if (!file) return fail(Error::from_errno(errno, "cannot attach to {}: cannot open {}", name, path));
  struct stat status{};
  bool is_regular = ::fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode);
  if (!is_regular) return fail(Error::make("cannot attach to {}: not a regular file: {}", name, path));
  path = fmt::format("/proc/self/fd/{}", file.get());
  // Unreadable files can be probed all the same.
  if (Fd readable{::open(path.c_str(), O_RDONLY | O_CLOEXEC)}) omit_unsupported(readable.get(), group);
  if (group.offsets.empty()) return {};
  return link(program_fd, name, target, group.offsets, group.counters, group.cookies, links);
}

// Checks the instructions here because each refusal by the kernel costs 0.1 s, in which it detaches the other uprobes.
// Offsets beyond the end of the file are omitted too: the kernel rejects them with the error of kernels that lack
// uprobe.multi.
void UprobeLinks::omit_unsupported(int file, Group& group) {
  Group possible;
  for (size_t i = 0; i < group.offsets.size(); ++i) {
    std::array<uint8_t, 8> code{};  // enough for the opcode after more prefixes than compilers emit
    ssize_t got = ::pread(file, code.data(), code.size(), static_cast<off_t>(group.offsets[i]));
    std::span<const uint8_t> bytes = std::span{code}.first(static_cast<size_t>(std::max<ssize_t>(0, got)));
    if (bytes.empty() || native_architecture().is_unsupported_instruction(bytes) ||
        (group.are_within[i] && becomes_call(bytes))) {
      omit(group.cookies[i]);
      continue;
    }
    possible.offsets.push_back(group.offsets[i]);
    possible.counters.push_back(group.counters[i]);
    possible.cookies.push_back(group.cookies[i]);
  }
  group = std::move(possible);
}

// The kernel accepts all uprobes or none, without naming the one that it refuses, so this bisects.
Result<> UprobeLinks::link(int program_fd, const std::string& name, const Target& target,
                           std::span<const uint64_t> offsets, std::span<const uint64_t> counters,
                           std::span<const uint64_t> cookies, std::vector<Fd>& links) {
  const auto& [path, pid, is_return] = target;
  if (!has_multi_) return link_each(program_fd, name, target, offsets, counters, cookies, links);
  Fd opened = open_uprobes(program_fd, path, pid, is_return, offsets, counters, cookies);
  if (opened) {
    links.push_back(std::move(opened));
    return {};
  }
  if (errno == EINVAL && links.empty()) {
    has_multi_ = false;
    return link_each(program_fd, name, target, offsets, counters, cookies, links);
  }
  if (errno != unsupported) return fail(Error::from_errno(errno, "cannot attach to {}", name));
  if (offsets.size() == 1) {
    omit(cookies.front());
    return {};
  }
  size_t half = offsets.size() / 2;
  DS_TRY_VOID(link(program_fd, name, target, offsets.first(half), counters.first(half), cookies.first(half), links));
  return link(program_fd, name, target, offsets.subspan(half), counters.subspan(half), cookies.subspan(half), links);
}

Result<> UprobeLinks::link_each(int program_fd, const std::string& name, const Target& target,
                                std::span<const uint64_t> offsets, std::span<const uint64_t> counters,
                                std::span<const uint64_t> cookies, std::vector<Fd>& links) {
  const auto& [path, pid, is_return] = target;
  std::optional<uint32_t> type = uprobe_event_type();
  if (!type) return fail(Error::make("cannot attach to {}: this kernel has no uprobes", name));
  single_uprobes_ += offsets.size();
  if (single_uprobes_ > max_events)
    return fail(
        Error::make("cannot attach to {}: {} probes of processes are too many for this kernel, which attaches "
                    "them one by one; at most {} are possible before Linux 6.6",
                    name, single_uprobes_, max_events));
  for (size_t i = 0; i < offsets.size(); ++i) {
    Fd event = open_uprobe_event(*type, path, pid, is_return, offsets[i], counters[i]);
    if (!event && (errno == EINVAL || errno == unsupported)) {
      omit(cookies[i]);
      continue;
    }
    if (!event) return fail(Error::from_errno(errno, "cannot attach to {}", name));
    LIBBPF_OPTS(bpf_link_create_opts, opts);
    opts.perf_event.bpf_cookie = cookies[i];
    Fd link{bpf_link_create(program_fd, event.get(), BPF_PERF_EVENT, &opts)};
    if (!link || ::ioctl(event.get(), PERF_EVENT_IOC_ENABLE, 0) < 0)
      return fail(Error::from_errno(errno, "cannot attach to {}", name));
    links.push_back(std::move(link));
    links.push_back(std::move(event));
  }
  return {};
}

}  // namespace dscope
