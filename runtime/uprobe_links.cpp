#include "runtime/uprobe_links.h"

#include <fcntl.h>
#include <linux/bpf.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

namespace dscope {

namespace {

// bpf(BPF_LINK_CREATE) for BPF_TRACE_UPROBE_MULTI; libbpf 1.1 does not know it.
Fd open_uprobes(int program_fd, const std::string& path, uint32_t pid, bool is_return,
                std::span<const uint64_t> offsets, std::span<const uint64_t> counters,
                std::span<const uint64_t> cookies) {
  constexpr uint32_t uprobe_multi = 48, of_returns = 1;
  struct {
    uint32_t program_fd, target_fd, attach_type, flags;
    uint64_t path, offsets, reference_counters, cookies;
    uint32_t count, probe_flags, pid, reserved;
  } attributes{.program_fd = static_cast<uint32_t>(program_fd),
               .target_fd = 0,
               .attach_type = uprobe_multi,
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

// Whether the kernel surely refuses an instruction of x86-64 (arch/x86/kernel/uprobes.c): those with a lock prefix or
// a VEX prefix, and those a user program may not or should not execute.
bool is_impossible(std::span<const uint8_t> code) {
  constexpr std::array<uint8_t, 4> prefixes = {0x66, 0x67, 0xf2, 0xf3};
  constexpr std::array<uint8_t, 21> refused = {0xf0, 0xc4, 0xc5, 0xf4, 0xcc, 0xce, 0xf1, 0xfa, 0xfb, 0x6c, 0x6d,
                                               0x6e, 0x6f, 0xe4, 0xe5, 0xe6, 0xe7, 0xec, 0xed, 0xee, 0xef};
  size_t at = 0;
  while (at < code.size() && std::find(prefixes.begin(), prefixes.end(), code[at]) != prefixes.end()) ++at;
  return at < code.size() && std::find(refused.begin(), refused.end(), code[at]) != refused.end();
}

}  // namespace

void UprobeLinks::add(const HookUprobe& hook, uint64_t cookie) {
  Group& group = groups_[{hook.path, hook.pid, hook.is_return}];
  group.offsets.push_back(hook.offset);
  group.counters.push_back(hook.reference_counter);
  group.cookies.push_back(cookie);
}

Result<std::vector<Fd>> UprobeLinks::attach(int program_fd, const std::string& name) {
  std::vector<Fd> links;
  for (auto& [place, group] : std::exchange(groups_, {})) {
    Group possible = group;
    leave_out_impossible(std::get<0>(place), possible);
    if (!possible.offsets.empty())
      DS_TRY_VOID(link(program_fd, name, place, possible.offsets, possible.counters, possible.cookies, links));
  }
  return links;
}

// Each refusal costs 0.1 s, in which the kernel takes back what it did before.
void UprobeLinks::leave_out_impossible(const std::string& path, Group& group) {
  Fd file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!file) return;
  Group possible;
  for (size_t i = 0; i < group.offsets.size(); ++i) {
    std::array<uint8_t, 4> code{};
    ssize_t got = ::pread(file.get(), code.data(), code.size(), static_cast<off_t>(group.offsets[i]));
    if (got > 0 && is_impossible({code.data(), static_cast<size_t>(got)})) {
      ++left_out_;
      continue;
    }
    possible.offsets.push_back(group.offsets[i]);
    possible.counters.push_back(group.counters[i]);
    possible.cookies.push_back(group.cookies[i]);
  }
  group = std::move(possible);
}

// The kernel takes all of them or none, and does not say which one it refuses: halves tell.
Result<> UprobeLinks::link(int program_fd, const std::string& name, const Place& place,
                           std::span<const uint64_t> offsets, std::span<const uint64_t> counters,
                           std::span<const uint64_t> cookies, std::vector<Fd>& links) {
  constexpr int unsupported = 524;  // ENOTSUPP, the kernel's own
  const auto& [path, pid, is_return] = place;
  Fd opened = open_uprobes(program_fd, path, pid, is_return, offsets, counters, cookies);
  if (opened) {
    links.push_back(std::move(opened));
    return {};
  }
  if (errno == EINVAL)
    return fail(Error::make("cannot attach to {}: this kernel has no uprobe.multi (Linux 6.6)", name));
  if (errno != unsupported) return fail(Error::from_errno(errno, "cannot attach to {}", name));
  if (offsets.size() == 1) {
    ++left_out_;
    return {};
  }
  size_t half = offsets.size() / 2;
  DS_TRY_VOID(link(program_fd, name, place, offsets.first(half), counters.first(half), cookies.first(half), links));
  return link(program_fd, name, place, offsets.subspan(half), counters.subspan(half), cookies.subspan(half), links);
}

}  // namespace dscope
