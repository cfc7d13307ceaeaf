// watch provider: accesses to memory (providers.md 17). watch:a.out:counter:w8 watches the process of -c or -p,
// watch123:... process 123, watch:vmlinux:jiffies:w8 the kernel. No probes are published: descriptions create them.
#include <linux/hw_breakpoint.h>

#include <algorithm>

#include "arch/architecture.h"
#include "runtime/kernel/kernel_addresses.h"
#include "runtime/providers/process/known_processes.h"
#include "runtime/providers/provider.h"
#include "support/format.h"
#include "support/text/parse_integer.h"

namespace dscope {
namespace {

constexpr std::string_view prefix = "watch", kernel = "vmlinux";

constexpr std::string_view form =
    "its probes are watch:OBJECT:SYMBOL:ACCESS, as in watch:a.out:counter:w4 with -p or -c: an address may replace "
    "the symbol, and the access is r, w, rw or x and the number of bytes";

struct Access {
  uint32_t kinds = 0, length = 0;
};

// Parses "w8", "rw4", or "x" for instructions, which need no length.
std::optional<Access> access_of(std::string_view name) {
  constexpr uint32_t length_of_instructions = 8;  // sizeof(long), which the kernel requires
  size_t letters = std::min(name.find_first_of("0123456789"), name.size());
  std::string_view kind = name.substr(0, letters), digits = name.substr(letters);
  Access access;
  if (kind == "r") access.kinds = HW_BREAKPOINT_R;
  else if (kind == "w") access.kinds = HW_BREAKPOINT_W;
  else if (kind == "rw") access.kinds = HW_BREAKPOINT_RW;
  else if (kind == "x") access = {HW_BREAKPOINT_X, length_of_instructions};
  else return std::nullopt;
  if (digits.empty() && access.kinds == HW_BREAKPOINT_X) return access;
  access.length = parse_integer<uint32_t>(digits).value_or(0);
  if (access.length == 0) return std::nullopt;
  if (access.kinds == HW_BREAKPOINT_X) access.length = length_of_instructions;
  return access;
}

// "0x601040".
std::optional<uint64_t> address_of(std::string_view text) {
  bool is_hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  return is_hexadecimal ? parse_integer(text.substr(2), 16) : std::nullopt;
}

class WatchProvider final : public Provider {
 public:
  WatchProvider(const ProcessTools& tools, KernelAddresses& addresses) : tools_(tools), addresses_(addresses) {}

  std::string_view name() const override { return prefix; }

  bool could_match(const ProbeDescription& description) const override {
    return is_own(description.provider) && is_literal(description.function) && access_of(description.name).has_value();
  }

  size_t count() override { return 0; }
  ProbeName probe_name(size_t) override { return {}; }
  void describe(size_t, Probe&) override {}

  std::optional<Probe> create(const ProbeDescription& description) override {
    Access access = *access_of(description.name);
    if (access.kinds == HW_BREAKPOINT_R) return std::nullopt;
    Probe probe{.provider = description.provider,
                .module = description.module,
                .function = description.function,
                .name = description.name};
    auto add = [&](uint64_t address, uint32_t pid) {
      probe.sites.push_back(
          {.hook = HookWatch{.address = address, .length = access.length, .accesses = access.kinds, .pid = pid},
           .raw_args = {{.kind = ArgSourceKind::EventAddress},
                        {.kind = ArgSourceKind::Register, .offset = native_architecture().instruction_pointer}}});
    };
    if (is_of_kernel(description)) {
      if (auto address = find_in_kernel(description); address && access.kinds != HW_BREAKPOINT_X) add(*address, 0);
    } else {
      for (uint32_t pid : pids(description.provider))
        if (auto address = find_in_process(pid, description)) add(*address, pid);
    }
    if (probe.sites.empty()) return std::nullopt;
    return probe;
  }

  std::string why_missing(const ProbeDescription& description) override {
    if (!is_own(description.provider)) return {};
    auto access = access_of(description.name);
    if (!access || !is_literal(description.function)) return std::string{form};
    if (access->kinds == HW_BREAKPOINT_R)
      return fmt::format("x86 processors cannot watch reads alone: rw{} fires for both", access->length);
    if (is_of_kernel(description) && access->kinds == HW_BREAKPOINT_X)
      return "instructions of the kernel cannot be watched: use fbt or kinst";
    if (is_of_kernel(description)) return fmt::format("/proc/kallsyms has no address of `{}`", description.function);
    if (pids(description.provider).empty())
      return "whose memory? use -p or -c, watchPID:... or, for the kernel, watch:vmlinux:...";
    return fmt::format("no object of that name in the process has a symbol `{}`", description.function);
  }

 private:
  static bool is_own(std::string_view provider) {
    return provider.starts_with(prefix) &&
           provider.find_first_not_of("0123456789", prefix.size()) == std::string_view::npos;
  }
  static bool is_of_kernel(const ProbeDescription& description) {
    return description.provider == prefix && own_module_name(description.module) == kernel;
  }

  std::vector<uint32_t> pids(std::string_view provider) const {
    if (provider == prefix) return tools_.targets;
    uint32_t pid = parse_integer<uint32_t>(provider.substr(prefix.size())).value_or(0);
    return pid != 0 ? std::vector{pid} : std::vector<uint32_t>{};
  }

  std::optional<uint64_t> find_in_kernel(const ProbeDescription& description) {
    if (auto address = address_of(description.function)) return address;
    auto symbol = addresses_.find(kernel, description.function);
    return symbol && symbol->address != 0 ? std::optional{symbol->address} : std::nullopt;
  }

  std::optional<uint64_t> find_in_process(uint32_t pid, const ProbeDescription& description) {
    ProcessFunctions* process = processes_.open(pid);
    if (process == nullptr) return std::nullopt;
    if (auto address = address_of(description.function)) return address;
    for (size_t i = 0; i < process->size(); ++i) {
      const ProcessObject& object = process->object(i);
      if (object.start == 0 || !ProcessFunctions::is_named(object, description.module)) continue;
      const ElfSymbols& symbols = process->symbols(i);
      if (auto address = symbols.find_name(description.function))
        return object.start - symbols.virtual_address(object.mapped_offset) + *address;
    }
    return std::nullopt;
  }

  ProcessTools tools_;
  KernelAddresses& addresses_;
  KnownProcesses processes_;
};

}  // namespace

std::unique_ptr<Provider> make_watch_provider(const ProcessTools& tools, KernelAddresses& addresses) {
  return std::make_unique<WatchProvider>(tools, addresses);
}

}  // namespace dscope
