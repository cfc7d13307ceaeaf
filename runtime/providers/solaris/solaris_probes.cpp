// Probes of the Solaris kernel by their names and modules there, for option compat=solaris. Only those that no Linux
// provider has are defined here (solaris_probes.def).
#include <algorithm>
#include <vector>

#include "runtime/providers/provider.h"
#include "runtime/providers/solaris/stub.h"
#include "support/format.h"
#include "support/glob.h"
#include "support/word_list.h"

namespace dscope {
namespace {

struct SolarisProbe {
  std::string_view provider, names, arguments;
  std::vector<std::string_view> clauses;
};

const std::vector<SolarisProbe>& solaris_probes() {
#define DS_SOLARIS_PROBE(provider, names, arguments, ...) {provider, names, arguments, {__VA_ARGS__}},
  static const std::vector<SolarisProbe> rows = {
#include "runtime/providers/solaris/solaris_probes.def"
  };
#undef DS_SOLARIS_PROBE
  return rows;
}

// Providers of Solaris services, whose probes have no counterpart on Linux.
struct ForeignProvider {
  std::string_view name, what;
};
constexpr ForeignProvider foreign_providers[] = {{"cifs", "CIFS server"},
                                                 {"dnlc", "name cache"},
                                                 {"fc", "Fibre Channel target"},
                                                 {"iscsi", "iSCSI target"},
                                                 {"fpuinfo", "emulation of floating-point instructions"},
                                                 {"nfsv3", "NFS server"},
                                                 {"nfsv4", "NFS server"},
                                                 {"smb", "CIFS server"},
                                                 {"smb2", "CIFS server"},
                                                 {"srp", "SRP target"},
                                                 {"xpv", "Xen hypervisor"}};

const ForeignProvider* find_foreign(std::string_view provider) {
  auto row = std::ranges::find(foreign_providers, provider, &ForeignProvider::name);
  return row == std::end(foreign_providers) ? nullptr : row;
}

// True for providers whose probes have neither modules nor functions on Linux.
bool lacks_modules(std::string_view provider) {
  constexpr std::string_view names[] = {"io",   "ip",      "lockstat", "mib", "proc",  "sched",
                                        "sctp", "sysinfo", "tcp",      "udp", "vminfo"};
  return std::ranges::find(names, provider) != std::end(names);
}

const SolarisProbe* find_probe(std::string_view provider, std::string_view name) {
  auto row = std::ranges::find_if(solaris_probes(), [&](const SolarisProbe& each) {
    return each.provider == provider && has_word(each.names, name);
  });
  return row == solaris_probes().end() ? nullptr : &*row;
}

// True if the description's name matches and is not a pattern for any name.
bool means_name(const ProbeDescription& description, std::string_view name) {
  return description.name.find_first_not_of("*?") != std::string::npos && glob_matches(description.name, name);
}

bool has_probe(const ProbeDescription& description) {
  return std::ranges::any_of(solaris_probes(), [&](const SolarisProbe& row) {
    if (row.provider != description.provider) return false;
    return std::ranges::any_of(words_of(row.names),
                               [&](std::string_view name) { return means_name(description, name); });
  });
}

class SolarisProbeProvider final : public Provider {
 public:
  explicit SolarisProbeProvider(KernelTypes& kernel_types) : kernel_types_(kernel_types) {}

  std::string_view name() const override { return "sdt"; }

  bool could_match(const ProbeDescription& description) const override {
    return find_foreign(description.provider) != nullptr ||
           (description.dialect.has_solaris_probes() && has_probe(description));
  }
  bool is_last_resort(const ProbeDescription&) const override { return true; }

  size_t count() override { return 0; }
  ProbeName probe_name(size_t) override { return {}; }
  void describe(size_t, Probe&) override {}

  std::vector<Probe> create_all(const ProbeDescription& description) override {
    std::vector<Probe> probes;
    if (!description.dialect.has_solaris_probes()) return probes;
    for (const SolarisProbe& row : solaris_probes())
      if (row.provider == description.provider)
        for (std::string_view name : words_of(row.names))
          if (means_name(description, name)) probes.push_back(make_probe(row, name, description.module));
    return probes;
  }

  void load_args(Probe& probe, TypeTable& types) override {
    load_derived_args(find_probe(probe.provider, probe.name)->arguments, probe, types, kernel_types_);
  }

  std::optional<ProbeMistake> mistake(const ProbeDescription& description) override {
    const ForeignProvider* row = find_foreign(description.provider);
    if (row == nullptr) return std::nullopt;
    return ProbeMistake{
        Tag::D_PDESC_ZERO,
        fmt::format("probe description {} does not match any probes: provider {} belongs to Solaris's {}, "
                    "which Linux lacks",
                    to_string(description), row->name, row->what)};
  }

 private:
  static Probe make_probe(const SolarisProbe& row, std::string_view name, const std::string& module) {
    Probe probe{.provider = std::string{row.provider},
                .module = is_literal(module) ? module : "vmlinux",
                .name = std::string{name},
                .has_typed_args = true};
    for (std::string_view clause : row.clauses)
      probe.derivations.push_back({.clause = fmt::format("rawtp:::{}", clause)});
    if (row.clauses.empty()) make_stub(probe, Stub::Unfired);
    return probe;
  }

  KernelTypes& kernel_types_;
};

}  // namespace

void drop_solaris_fields(ProbeDescription& description) {
  constexpr std::string_view c_libraries = "libc.so.1 libpthread.so.1 libthread.so.1";
  if (description.provider.starts_with("pid") && has_word(c_libraries, description.module))
    description.module = "libc.so.6";
  // On Linux the modules of fsinfo are file systems.
  if (description.provider == "fsinfo") {
    if (own_module_name(description.module) == "vmlinux" && description.module != "vmlinux") description.module.clear();
    if (description.function.starts_with("fop_")) description.function.clear();
  }
  if (!is_literal(description.provider) || !lacks_modules(description.provider)) return;
  // On Solaris a module of mib selects all statistics of a protocol.
  bool is_protocol = description.module == "icmp" || description.module == "tcp" || description.module == "udp";
  if (description.provider == "mib" && is_protocol && description.name.empty())
    description.name = description.module + "*";
  bool is_elsewhere = description.provider == "io" && description.module == "nfs";  // io on Linux has no NFS probes
  if (is_literal(description.module) && !is_elsewhere) description.module.clear();
  if (is_literal(description.function)) description.function.clear();
}

std::unique_ptr<Provider> make_solaris_probe_provider(KernelTypes& kernel_types) {
  return std::make_unique<SolarisProbeProvider>(kernel_types);
}

}  // namespace dscope
