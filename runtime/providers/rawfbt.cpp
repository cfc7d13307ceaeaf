// rawfbt and kinst providers: kernel functions by their symbols, including compiler suffixes of copies (.isra.0), and
// single instructions (providers.md 4). Neither publishes probes: a description must name the provider and creates the
// probes that it names. Arguments are untyped.

#include "runtime/kernel/kernel_addresses.h"
#include "runtime/kernel/kernel_functions.h"
#include "runtime/providers/provider.h"
#include "support/format.h"
#include "support/text/glob.h"
#include "support/text/parse_integer.h"

namespace dscope {
namespace {

constexpr std::string_view entry = "entry", exit = "return";
constexpr uint32_t argument_registers = 6;

// True if the provider field of a description matches and is neither empty nor a pattern for any name.
bool names_provider(std::string_view provider, std::string_view pattern) {
  return !glob_prefix(pattern).empty() && field_matches(pattern, provider);
}

// Symbols without BTF cannot have trampolines, only kprobes.
bool is_possible(const FunctionMechanisms& mechanisms) { return mechanisms.has_multi || mechanisms.has_kprobe; }

class OnDemandProvider : public Provider {
 public:
  explicit OnDemandProvider(KernelFunctions& functions) : functions_(functions) {}
  size_t count() override { return 0; }
  ProbeName probe_name(size_t) override { return {}; }
  void describe(size_t, Probe&) override {}
  bool could_match(const ProbeDescription& description) const override {
    return names_provider(name(), description.provider);
  }

 protected:
  KernelFunctions& functions_;
};

class RawfbtProvider final : public OnDemandProvider {
 public:
  using OnDemandProvider::OnDemandProvider;
  std::string_view name() const override { return "rawfbt"; }
  bool may_match_later_modules(const ProbeDescription& description) override {
    return description.module != "vmlinux" && could_match(description) && is_possible(functions_.mechanisms());
  }

  std::vector<Probe> create_all(const ProbeDescription& description) override {
    std::vector<Probe> probes;
    for (const KernelFunctions::Symbol& symbol : functions_.symbols()) {
      bool is_wanted =
          field_matches(description.function, symbol.name) && field_matches(description.module, symbol.module);
      if (is_wanted && field_matches(description.name, entry)) probes.push_back(probe(symbol, false));
      if (is_wanted && field_matches(description.name, exit)) probes.push_back(probe(symbol, true));
    }
    return probes;
  }

  std::string why_missing(const ProbeDescription& description) override {
    if (description.provider != name()) return {};
    if (is_possible(functions_.mechanisms())) return {};
    return "this kernel offers neither kprobe.multi nor kprobes, so its functions cannot be traced by their symbols";
  }

 private:
  Probe probe(const KernelFunctions::Symbol& symbol, bool is_return) {
    Probe probe{.provider = std::string{name()},
                .module = std::string{symbol.module},
                .function = std::string{symbol.name},
                .name = std::string{is_return ? exit : entry},
                .is_available = is_possible(functions_.mechanisms())};
    probe.hook = HookFunction{.module = probe.module, .function = probe.function, .is_return = is_return};
    if (is_return)
      probe.raw_args = {{.kind = ArgSourceKind::Constant, .offset = -1},
                        {.kind = ArgSourceKind::FunctionResult, .is_signed = true}};
    for (uint32_t i = 0; !is_return && i < argument_registers; ++i)
      probe.raw_args.push_back({.kind = ArgSourceKind::FunctionArg, .index = i});
    return probe;
  }
};

// The name of an instruction probe is its byte offset in hexadecimal digits.
std::optional<uint64_t> offset_of(std::string_view name) { return parse_integer(name, 16); }

class KinstProvider final : public OnDemandProvider {
 public:
  KinstProvider(KernelFunctions& functions, KernelAddresses& addresses)
      : OnDemandProvider(functions), addresses_(addresses) {}
  std::string_view name() const override { return "kinst"; }

  std::optional<Probe> create(const ProbeDescription& description) override {
    auto offset = offset_of(description.name);
    if (!offset || !is_literal(description.function)) return std::nullopt;
    for (const KernelFunctions::Symbol& symbol : functions_.symbols()) {
      if (symbol.name != description.function || !field_matches(description.module, symbol.module)) continue;
      if (*offset >= addresses_.size_of(symbol.name).value_or(UINT64_MAX)) return std::nullopt;
      Probe probe{.provider = std::string{name()},
                  .module = std::string{symbol.module},
                  .function = std::string{symbol.name},
                  .name = description.name,
                  .is_available = functions_.mechanisms().has_kprobe};
      probe.hook = HookFunction{.module = probe.module, .function = probe.function, .offset = *offset};
      return probe;
    }
    return std::nullopt;
  }

  std::string why_missing(const ProbeDescription& description) override {
    if (description.provider != name()) return {};
    if (!functions_.mechanisms().has_kprobe) return "this kernel has no kprobes, so its instructions cannot be probed";
    if (!offset_of(description.name) || !is_literal(description.function))
      return "an instruction is named by its function and its offset in hexadecimal digits: kinst::vfs_read:4";
    if (auto size = addresses_.size_of(description.function); size && *offset_of(description.name) >= *size)
      return fmt::format("{} has 0x{:x} bytes", description.function, *size);
    return {};
  }

 private:
  KernelAddresses& addresses_;
};

}  // namespace

std::unique_ptr<Provider> make_rawfbt_provider(KernelFunctions& functions) {
  return std::make_unique<RawfbtProvider>(functions);
}

std::unique_ptr<Provider> make_kinst_provider(KernelFunctions& functions, KernelAddresses& addresses) {
  return std::make_unique<KinstProvider>(functions, addresses);
}

}  // namespace dscope
