// Probes of the Solaris kernel by their names and modules there, for option compat=solaris. The .d files of this folder
// define the probes that no Linux provider has.
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "contract/process_provider.h"
#include "runtime/providers/derived/derived_text.h"
#include "runtime/providers/provider.h"
#include "runtime/providers/solaris/stub.h"
#include "support/format.h"
#include "support/text/glob.h"
#include "support/text/word_list.h"

namespace dscope {
namespace {

// The probes of one provider. Sites in the .d files have no attributes.
struct SolarisProbes {
  std::vector<DeclaredProbe> declared;
  std::vector<DerivationRow> derivations;
};

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

// True if the description's name matches and is not a pattern for any name.
bool names_probe(const ProbeDescription& description, std::string_view name) {
  return description.name.find_first_not_of("*?") != std::string::npos && glob_matches(description.name, name);
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
    const SolarisProbes* ours = find_probes(description.provider);
    if (!description.dialect.has_solaris_probes() || ours == nullptr) return probes;
    for (const DeclaredProbe& each : ours->declared)
      if (names_probe(description, each.name)) probes.push_back(make_probe(*ours, each.name, description));
    return probes;
  }

  void load_args(Probe& probe, TypeTable& types) override {
    const std::vector<DeclaredProbe>& declared = find_probes(probe.provider)->declared;
    auto declaration = std::ranges::find(declared, std::string_view(probe.name), &DeclaredProbe::name);
    load_derived_args(one_line(declaration->arguments), probe, types, kernel_types_);
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
  // Null if no file of this folder is about the provider.
  const SolarisProbes* find_probes(std::string_view provider) const {
    if (auto found = read_.find(provider); found != read_.end()) return &found->second;
    auto file = std::ranges::find(solaris_provider_texts, provider, &DerivedProviderText::provider);
    if (file == solaris_provider_texts.end()) return nullptr;
    SolarisProbes probes{.declared = read_declared_probes(file->text),
                         .derivations = read_derived_clauses(file->text).derivations};
    return &read_.emplace(file->provider, std::move(probes)).first->second;
  }

  bool has_probe(const ProbeDescription& description) const {
    const SolarisProbes* probes = find_probes(description.provider);
    return probes != nullptr && std::ranges::any_of(probes->declared, [&](const DeclaredProbe& probe) {
             return names_probe(description, probe.name);
           });
  }

  static Probe make_probe(const SolarisProbes& ours, std::string_view name, const ProbeDescription& description) {
    Probe probe{.provider = description.provider,
                .module = is_literal(description.module) ? description.module : "vmlinux",
                .name = std::string{name},
                .has_typed_args = true};
    for (const DerivationRow& row : ours.derivations)
      if (row.probe == name) probe.derivations.push_back({.clause = clause_on(row.site, row.clause)});
    if (probe.derivations.empty()) make_stub(probe, Stub::Unfired);
    return probe;
  }

  KernelTypes& kernel_types_;
  mutable std::map<std::string_view, SolarisProbes> read_;  // by provider; the files that descriptions have named
};

}  // namespace

void drop_solaris_fields(ProbeDescription& description) {
  constexpr std::string_view c_libraries = "libc.so.1 libpthread.so.1 libthread.so.1";
  if (description.provider.starts_with(pid_provider) && has_word(c_libraries, description.module))
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
