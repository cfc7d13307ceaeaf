// Providers of probes that are derived from other probes, in D (Probe::derivations): proc, sched, io, tcp, lockstat and
// others. The .d files of this folder define them (derived_text.h); probes that the running kernel cannot fire are not
// published.
#include <algorithm>
#include <cctype>
#include <optional>
#include <set>

#include "contract/types/type.h"
#include "contract/types/type_text.h"
#include "runtime/kernel/btf_types.h"
#include "runtime/kernel/kernel_functions.h"
#include "runtime/kernel/machine_record.h"
#include "runtime/providers/derived/derived_text.h"
#include "runtime/providers/provider.h"
#include "support/format.h"
#include "support/read_file.h"
#include "support/text/glob.h"
#include "support/text/word_list.h"
#include "support/text/words.h"

namespace dscope {
namespace {

// Providers whose probes have another module than the kernel proper. Any other module in a description makes a narrower
// probe: `test` in the clauses becomes `narrow_test` with that module as its first argument.
struct ModuleRow {
  std::string_view provider, module, test, narrow_test;
};
constexpr ModuleRow module_rows[] = {{"fsinfo", "vfs", "__is_file[", "__is_file_of[\"{}\", "},
                                     {"fsinfo", "vfs", "__is_dentry[", "__is_dentry_of[\"{}\", "}};

// Types of file systems that the kernel has registered. A line is "nodev\tproc".
std::vector<std::string> file_systems_like(const std::string& pattern) {
  std::string list = read_file(machine_path("/proc/filesystems").c_str()).value_or("");
  std::vector<std::string> found;
  for (std::string_view line : parts_of(list, "\n"))
    if (std::string name{line.substr(line.rfind('\t') + 1)}; field_matches(pattern, name)) found.push_back(name);
  return found;
}

// The kernel function of "fbt::vfs_read:entry"; empty: the site is something else.
std::string_view function_of(std::string_view site) {
  constexpr std::string_view prefix = "fbt::";
  if (!site.starts_with(prefix)) return {};
  site.remove_prefix(prefix.size());
  return site.substr(0, site.find(':'));
}

// The tracepoint of "rawtp:::sched_switch"; empty: the site is something else.
std::string_view tracepoint_of(std::string_view site) {
  constexpr std::string_view prefix = "rawtp:::";
  return site.starts_with(prefix) ? site.substr(prefix.size()) : std::string_view{};
}

bool is_module_word(std::string_view text) {
  return is_literal(text) && std::all_of(text.begin(), text.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.';
         });
}

class DerivedProvider final : public Provider {
 public:
  DerivedProvider(const DerivedProviderText& text, KernelTypes& kernel_types, KernelFunctions& functions)
      : name_(text.provider), text_(text.text), kernel_types_(kernel_types), functions_(functions) {
    auto row = std::find_if(std::begin(module_rows), std::end(module_rows),
                            [&](const ModuleRow& each) { return each.provider == name_; });
    if (row != std::end(module_rows)) module_ = row;
  }

  std::string_view name() const override { return name_; }

  bool could_match(const ProbeDescription& description) const override {
    bool is_module = field_matches(description.module, module()) || takes_module(description);
    bool is_ours = is_module && field_matches(description.provider, name_) && field_matches(description.function, "");
    if (!is_ours) return false;
    // Searching the text costs less than parsing it, and every provider is asked for `BEGIN`.
    if (is_literal(description.name) && text_.find(description.name) == std::string_view::npos) return false;
    return std::ranges::any_of(declared(),
                               [&](const DeclaredProbe& probe) { return field_matches(description.name, probe.name); });
  }

  size_t count() override { return names().size(); }
  ProbeName probe_name(size_t index) override { return {.module = module(), .function = {}, .name = names()[index]}; }
  bool exists(size_t index) override { return has_site(names()[index]); }
  void describe(size_t, Probe& probe) override { describe(probe); }

  std::vector<Probe> create_all(const ProbeDescription& description) override {
    std::vector<Probe> probes;
    if (!takes_module(description)) return probes;
    const std::vector<std::string> modules =
        is_literal(description.module) ? std::vector{description.module} : file_systems_like(description.module);
    for (std::string_view each : names())
      if (field_matches(description.name, each) && has_site(each))
        for (const std::string& module : modules) probes.push_back(make_narrow(each, module));
    return probes;
  }

  void load_args(Probe& probe, TypeTable& types) override {
    auto declaration = std::ranges::find(declared(), std::string_view(probe.name), &DeclaredProbe::name);
    load_derived_args(one_line(declaration->arguments), probe, types, kernel_types_);
  }

  // A description of one module also matches the probe of all modules.
  bool accepts_created(const ProbeDescription& description) const override { return takes_module(description); }

  std::string why_missing(const ProbeDescription& description) override {
    for (const DerivationRow& row : clauses().derivations) {
      if (row.probe != description.name || has_site(row.probe)) continue;
      if (std::string_view function = function_of(row.site); !function.empty())
        return fmt::format(
            "{}:::{} needs the kernel function {}, which this kernel lacks or does not allow to be traced", name_,
            row.probe, function);
      return fmt::format("{}:::{} needs the tracepoint {}, which this kernel lacks", name_, row.probe,
                         tracepoint_of(row.site));
    }
    return {};
  }

  std::vector<ProbeName> absent() override {
    std::set<std::string_view> absent;
    for (const DeclaredProbe& probe : declared()) absent.insert(probe.name);
    for (std::string_view name : names())
      if (has_site(name)) absent.erase(name);
    std::vector<ProbeName> probes;
    for (std::string_view name : absent) probes.push_back({.module = module(), .function = {}, .name = name});
    return probes;
  }

 private:
  std::string_view module() const { return module_ == nullptr ? "vmlinux" : module_->module; }
  bool takes_module(const ProbeDescription& description) const {
    bool is_pattern = !is_literal(description.module) && description.module.find_first_not_of('*') != std::string::npos;
    bool is_one = is_module_word(description.module) && (module_ == nullptr || description.module != module_->module);
    return module_ != nullptr && description.provider == name_ && (is_one || is_pattern);
  }

  // The probe of one module.
  Probe make_narrow(std::string_view name, const std::string& module) {
    Probe probe{.provider = std::string{name_}, .module = module, .name = std::string{name}};
    describe(probe);
    for (Derivation& derivation : probe.derivations)
      for (const ModuleRow& row : module_rows)
        replace_all(derivation.clause, row.test, fmt::format(fmt::runtime(row.narrow_test), module));
    return probe;
  }

  void describe(Probe& probe) {
    probe.has_typed_args = true;
    std::vector<const DerivationRow*> sites = sites_of(probe.name);
    for (const DerivationRow* row : sites) {
      probe.derivations.push_back(
          {.clause = clause_on(row->site, row->clause), .order = row->order, .subject = row->subject});
      probe.may_lack_pages |= row->may_lack_pages;
    }
    bool is_otherwise = std::ranges::any_of(sites, &DerivationRow::is_otherwise);
    // A preparation in a kernel function is for the sites in that function.
    auto is_wanted = [&](const PreparationRow& row) {
      if (row.is_otherwise && !is_otherwise) return false;
      std::string_view function = function_of(row.sites.front());
      return function.empty() ||
             std::ranges::any_of(sites, [&](const DerivationRow* site) { return function_of(site->site) == function; });
    };
    for (const PreparationRow& row : clauses().preparations) {
      if (!glob_matches(row.probe, probe.name) || !is_wanted(row)) continue;
      auto site = std::ranges::find_if(row.sites, [&](std::string_view each) { return has_tracepoint(each); });
      if (site != row.sites.end()) probe.preparations.push_back(clause_on(*site, row.clause));
    }
  }

  // Also true for sites that are not tracepoints.
  bool has_tracepoint(std::string_view site) {
    std::string_view tracepoint = tracepoint_of(site);
    return tracepoint.empty() || kernel_types_.count_tracepoint_parameters(tracepoint).has_value();
  }

  // Whether the kernel has the function of the site, with that number of parameters, and allows probes on it; true for
  // other sites. Searches 50,000 functions, so it is called for requested probes only.
  bool has_kernel_function(const DerivationRow& row) {
    std::string_view function = function_of(row.site);
    if (function.empty()) return true;
    if (!functions_.mechanisms().has_any()) return false;
    auto all = functions_.functions();
    auto found = std::find_if(all.begin(), all.end(), [&](const KernelFunctions::Function& each) {
      return each.module == 0 && each.name == function;
    });
    if (found == all.end()) return false;
    const BtfIndex& types = *kernel_types_.vmlinux();
    size_t parameters = types.trailing<btf_param>(types.type(found->type_id).type).size();
    return parameters >= row.min_parameters && parameters <= row.max_parameters && functions_.is_traceable(*found);
  }

  // Where this kernel fires the probe.
  std::vector<const DerivationRow*> sites_of(std::string_view probe) {
    std::vector<const DerivationRow*> sites;
    bool has_better = false;
    for (const DerivationRow* row : rows_) {
      if (row->probe != probe || (row->is_otherwise && has_better) || !has_kernel_function(*row)) continue;
      has_better |= !row->is_otherwise;
      sites.push_back(row);
    }
    return sites;
  }

  bool has_site(std::string_view probe) {
    return std::any_of(rows_.begin(), rows_.end(),
                       [&](const DerivationRow* row) { return row->probe == probe && has_kernel_function(*row); });
  }

  // False if the kernel lacks the tracepoint of the row or its parameters. True for functions, which it does not
  // search.
  bool is_possible(const DerivationRow& row) {
    std::string_view tracepoint = tracepoint_of(row.site);
    if (tracepoint.empty()) return true;
    auto parameters = kernel_types_.count_tracepoint_parameters(tracepoint);
    return parameters && *parameters >= row.min_parameters && *parameters <= row.max_parameters;
  }

  // The probes this kernel can have, sorted.
  const std::vector<std::string_view>& names() {
    if (is_read_) return names_;
    is_read_ = true;
    for (const DerivationRow& row : clauses().derivations) {
      if (!is_possible(row)) continue;
      rows_.push_back(&row);
      names_.push_back(row.probe);
    }
    std::sort(names_.begin(), names_.end());
    names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
    return names_;
  }

  const std::vector<DeclaredProbe>& declared() const {
    if (declared_.empty()) declared_ = read_declared_probes(text_);
    return declared_;
  }
  const DerivedClauses& clauses() {
    if (!clauses_) clauses_ = read_derived_clauses(text_);
    return *clauses_;
  }

  std::string_view name_, text_;
  const ModuleRow* module_ = nullptr;            // if the probes are not of the kernel proper
  mutable std::vector<DeclaredProbe> declared_;  // empty: not read yet
  std::optional<DerivedClauses> clauses_;        // read when a description matches a probe
  KernelTypes& kernel_types_;
  KernelFunctions& functions_;
  bool is_read_ = false;
  std::vector<const DerivationRow*> rows_;
  std::vector<std::string_view> names_;
};

}  // namespace

void load_derived_args(std::string_view arguments, Probe& probe, TypeTable& types, KernelTypes& kernel_types) {
  auto lookup = [&](const std::string& type_name) { return kernel_types.find(types, "", type_name); };
  for (const DeclaredArgument& argument : read_declared_arguments(arguments)) {
    std::string native{argument.native};
    auto type = read_type_text(types, native, PointerSpace::Kernel, lookup);
    // Only the compiler knows the types of the D libraries.
    probe.args.push_back({.type_text = native,
                          .type = type.value_or(TypeTable::error_type()),
                          .name = std::string{argument.name},
                          .source = {},
                          .translated_text = std::string{argument.translated}});
  }
}

std::vector<std::unique_ptr<Provider>> make_derived_providers(KernelTypes& kernel_types, KernelFunctions& functions) {
  std::vector<std::unique_ptr<Provider>> providers;
  for (const DerivedProviderText& text : derived_provider_texts)
    providers.push_back(std::make_unique<DerivedProvider>(text, kernel_types, functions));
  return providers;
}

}  // namespace dscope
