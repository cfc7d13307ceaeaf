#include "runtime/attach/function_links.h"

#include <bpf/bpf.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <utility>

#include "support/read_file.h"

namespace dscope {
namespace {

// The perf unit of kprobes in sysfs: its type, and the bit of `config` that selects the return.
constexpr const char* unit_type = "/sys/bus/event_source/devices/kprobe/type";
constexpr const char* unit_return_flag = "/sys/bus/event_source/devices/kprobe/format/retprobe";

// Limit for the bisection of refused functions; each refusal costs a walk through the kernel's symbols.
constexpr size_t max_refusals = 200;

}  // namespace

bool is_refusal_of_function(int error_number) {
  constexpr int not_supported = 524;  // ENOTSUPP, the kernel's own
  constexpr std::array numbers = {EINVAL, ESRCH, ENOENT, ENODEV, EBUSY, EADDRNOTAVAIL, EILSEQ, ERANGE, not_supported};
  return std::find(numbers.begin(), numbers.end(), error_number) != numbers.end();
}

void FunctionLinks::add(const HookFunction& hook, uint64_t cookie) {
  Group& group = hook.is_return ? returns_ : entries_;
  group.names.push_back(hook.function);
  group.cookies.push_back(cookie);
}

Result<std::vector<Fd>> FunctionLinks::attach(int program_fd, const std::string& name) {
  std::vector<Fd> links;
  bool has_any = false;
  for (Group* group : {&entries_, &returns_}) {
    Group wanted = std::exchange(*group, {});
    if (wanted.names.empty()) continue;
    has_any = true;
    for (const std::string& symbol : wanted.names) wanted.symbols.push_back(symbol.c_str());
    auto linked = link(program_fd, group == &returns_, wanted.symbols, wanted.cookies, links);
    if (!linked) return fail(Error::from_errno(linked.error().error_number(), "cannot attach to {}", name));
  }
  if (links.empty() && has_any)
    return fail(Error::make("cannot attach to {}: the kernel cannot probe this function", name));
  return links;
}

// The kernel accepts all functions or none, without naming the one that it refuses, so this bisects.
Result<> FunctionLinks::link(int program_fd, bool is_return, std::span<const char*> symbols,
                             std::span<uint64_t> cookies, std::vector<Fd>& links) {
  LIBBPF_OPTS(bpf_link_create_opts, opts);
  opts.kprobe_multi.flags = is_return ? BPF_F_KPROBE_MULTI_RETURN : 0;
  opts.kprobe_multi.cnt = static_cast<uint32_t>(symbols.size());
  opts.kprobe_multi.syms = symbols.data();
  opts.kprobe_multi.cookies = reinterpret_cast<const __u64*>(cookies.data());
  int opened = bpf_link_create(program_fd, 0, BPF_TRACE_KPROBE_MULTI, &opts);
  if (opened >= 0) {
    links.emplace_back(opened);
    return {};
  }
  if (!is_refusal_of_function(-opened) || ++refusals_ > max_refusals)
    return fail(Error::from_errno(-opened, "refused"));
  if (symbols.size() == 1) {
    ++omitted_;
    return {};
  }
  size_t half = symbols.size() / 2;
  DS_TRY_VOID(link(program_fd, is_return, symbols.first(half), cookies.first(half), links));
  return link(program_fd, is_return, symbols.subspan(half), cookies.subspan(half), links);
}

Result<Fd> FunctionLinks::attach_trampoline(int program_fd, const HookFunction& hook) {
  bool is_security = hook.mechanism == FunctionMechanism::Security;
  bpf_attach_type kind = is_security ? BPF_LSM_MAC : hook.is_return ? BPF_TRACE_FEXIT : BPF_TRACE_FENTRY;
  int link = bpf_link_create(program_fd, 0, kind, nullptr);
  if (link < 0) return fail(Error::from_errno(-link, "refused"));
  return Fd{link};
}

Result<Fd> FunctionLinks::open_kprobe(const HookFunction& hook) {
  if (kprobes_.type == 0) {
    DS_TRY(std::string type, read_file(unit_type));
    std::from_chars(type.data(), type.data() + type.size(), kprobes_.type);
    constexpr std::string_view before_bit = "config:";
    DS_TRY(std::string format, read_file(unit_return_flag));
    uint32_t bit = 0;
    if (format.starts_with(before_bit))
      std::from_chars(format.data() + before_bit.size(), format.data() + format.size(), bit);
    kprobes_.return_flag = uint64_t{1} << (bit & 63);
  }
  bool is_of_kernel = hook.module == "vmlinux";
  std::string symbol = is_of_kernel ? hook.function : hook.module + ":" + hook.function;
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = kprobes_.type;
  attributes.config = hook.is_return ? kprobes_.return_flag : 0;
  attributes.kprobe_func = reinterpret_cast<uint64_t>(symbol.c_str());
  attributes.probe_offset = hook.offset;
  Fd event{static_cast<int>(::syscall(SYS_perf_event_open, &attributes, -1, 0, -1, PERF_FLAG_FD_CLOEXEC))};
  if (!event) return fail(Error::from_errno(errno, "refused"));
  return event;
}

}  // namespace dscope
