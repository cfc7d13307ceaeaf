// Providers of probes that are made of others, in D (Probe::derivations): proc, sched, io, tcp, lockstat and so on. A
// line of derived_probes.def or derived_statistics.def is all there is to say about one; what the running kernel does
// not have is not published.
#include <algorithm>
#include <cctype>
#include <fstream>
#include <set>

#include "contract/type.h"
#include "contract/type_text.h"
#include "runtime/kernel/btf_types.h"
#include "runtime/kernel/kernel_functions.h"
#include "runtime/providers/provider.h"
#include "support/format.h"
#include "support/glob.h"
#include "support/words.h"

namespace dscope {
namespace {

struct DerivedRow {
  std::string_view provider, name;
  uint32_t order;
  int subject;
  std::string_view tracepoint;
  size_t min_parameters, max_parameters;
  std::string_view arguments, clause;
  bool is_otherwise;  // only where none of the places that are named before it is there
};

#define DS_DERIVED(provider, name, order, subject, tracepoint, least, most, arguments, clause) \
  {provider, name, order, subject, tracepoint, least, most, arguments, clause, false},
#define DS_OTHERWISE(provider, name, order, subject, tracepoint, least, most, arguments, clause) \
  {provider, name, order, subject, tracepoint, least, most, arguments, clause, true},
#define DS_PREPARATION(provider, name, tracepoint, clause)
#define DS_OTHERWISE_PREPARATION(provider, name, tracepoint, clause)
constexpr DerivedRow derived_rows[] = {
#include "runtime/providers/derived/derived_probes.def"
#include "runtime/providers/derived/derived_statistics.def"
};
#undef DS_DERIVED
#undef DS_OTHERWISE
#undef DS_PREPARATION
#undef DS_OTHERWISE_PREPARATION

// Probe::preparations of the probes that `name`, a pattern, matches.
struct PreparationRow {
  std::string_view provider, name, tracepoint, clause;
  bool is_otherwise;  // only for places that are so
};

#define DS_DERIVED(provider, name, order, subject, tracepoint, least, most, arguments, clause)
#define DS_OTHERWISE(provider, name, order, subject, tracepoint, least, most, arguments, clause)
#define DS_PREPARATION(provider, name, tracepoint, clause) {provider, name, tracepoint, clause, false},
#define DS_OTHERWISE_PREPARATION(provider, name, tracepoint, clause) {provider, name, tracepoint, clause, true},
constexpr PreparationRow preparation_rows[] = {
#include "runtime/providers/derived/derived_probes.def"
#include "runtime/providers/derived/derived_statistics.def"
};
#undef DS_DERIVED
#undef DS_OTHERWISE
#undef DS_PREPARATION
#undef DS_OTHERWISE_PREPARATION

// Modules of the probes, where that is not the kernel. Any other module in a description makes a probe of its own:
// `test` in the clauses becomes `narrow_test` with that module as its first argument.
struct ModuleRow {
  std::string_view provider, module, test, narrow_test;
};
constexpr ModuleRow module_rows[] = {{"fsinfo", "vfs", "__is_file[", "__is_file_of[\"{}\", "},
                                     {"fsinfo", "vfs", "__is_dentry[", "__is_dentry_of[\"{}\", "}};

// Types of file systems that the kernel has registered, one in each line: "nodev\tproc".
std::vector<std::string> file_systems_like(const std::string& pattern) {
  std::ifstream list{"/proc/filesystems"};
  std::vector<std::string> found;
  for (std::string line; std::getline(list, line);)
    if (std::string name = line.substr(line.rfind('\t') + 1); field_matches(pattern, name)) found.push_back(name);
  return found;
}

// The kernel's function in "fbt::vfs_read:entry"; empty: the place is another one.
std::string_view function_of(std::string_view place) {
  constexpr std::string_view prefix = "fbt::";
  if (!place.starts_with(prefix)) return {};
  place.remove_prefix(prefix.size());
  return place.substr(0, place.find(':'));
}

// A clause on a tracepoint, or on the probe that is spelled out instead of one.
std::string clause_on(std::string_view tracepoint, std::string_view clause) {
  bool is_probe = tracepoint.find(':') != std::string_view::npos;
  return fmt::format("{}{} {}", is_probe ? "" : "rawtp:::", tracepoint, clause);
}

bool is_module_word(std::string_view text) {
  return is_literal(text) && std::all_of(text.begin(), text.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.';
         });
}

// Takes the text up to `separator` off the front of `rest`.
std::string_view take_part(std::string_view& rest, std::string_view separator) {
  std::string_view part = rest.substr(0, rest.find(separator));
  rest.remove_prefix(std::min(rest.size(), part.size() + separator.size()));
  return part;
}

class DerivedProvider final : public Provider {
 public:
  DerivedProvider(std::string_view name, KernelTypes& kernel_types, KernelFunctions& functions)
      : name_(name), kernel_types_(kernel_types), functions_(functions) {
    auto row = std::find_if(std::begin(module_rows), std::end(module_rows),
                            [&](const ModuleRow& each) { return each.provider == name_; });
    if (row != std::end(module_rows)) module_ = row;
  }

  std::string_view name() const override { return name_; }

  bool could_match(const ProbeDescription& description) const override {
    bool is_module = field_matches(description.module, module()) || takes_module(description);
    return field_matches(description.provider, name_) && is_module && field_matches(description.function, "") &&
           std::any_of(std::begin(derived_rows), std::end(derived_rows), [&](const DerivedRow& row) {
             return row.provider == name_ && field_matches(description.name, row.name);
           });
  }

  size_t count() override { return names().size(); }
  ProbeName probe_name(size_t index) override { return {.module = module(), .function = {}, .name = names()[index]}; }
  bool is_there(size_t index) override { return has_place(names()[index]); }
  void describe(size_t, Probe& probe) override { describe(probe); }

  std::vector<Probe> create_all(const ProbeDescription& description) override {
    std::vector<Probe> probes;
    if (!takes_module(description)) return probes;
    const std::vector<std::string> modules =
        is_literal(description.module) ? std::vector{description.module} : file_systems_like(description.module);
    for (std::string_view each : names())
      if (field_matches(description.name, each) && has_place(each))
        for (const std::string& module : modules) probes.push_back(make_narrow(each, module));
    return probes;
  }

  void load_args(Probe& probe, TypeTable& types) override {
    auto row =
        std::find_if(rows_.begin(), rows_.end(), [&](const DerivedRow* each) { return each->name == probe.name; });
    load_derived_args((*row)->arguments, probe, types, kernel_types_);
  }

  // The probes of one module fire with those of all.
  bool means_created(const ProbeDescription& description) const override { return takes_module(description); }

  std::string why_missing(const ProbeDescription& description) override {
    for (const DerivedRow& row : derived_rows) {
      if (row.provider != name_ || row.name != description.name || has_place(row.name)) continue;
      if (std::string_view function = function_of(row.tracepoint); !function.empty())
        return fmt::format(
            "{}:::{} is made of the kernel's function {}, which this kernel does not have, or permits "
            "nobody to trace",
            name_, row.name, function);
      return fmt::format("this kernel lacks the tracepoint {} that {}:::{} is made of", row.tracepoint, name_,
                         row.name);
    }
    return {};
  }

  std::vector<ProbeName> absent() override {
    std::set<std::string_view> absent;
    for (const DerivedRow& row : derived_rows)
      if (row.provider == name_) absent.insert(row.name);
    for (std::string_view name : names())
      if (has_place(name)) absent.erase(name);
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
    std::vector<const DerivedRow*> places = places_of(probe.name);
    for (const DerivedRow* row : places) {
      Derivation derivation{.clause = clause_on(row->tracepoint, row->clause), .order = row->order};
      if (row->subject >= 0) derivation.subject = static_cast<uint32_t>(row->subject);
      probe.derivations.push_back(std::move(derivation));
    }
    bool is_otherwise = std::ranges::any_of(places, &DerivedRow::is_otherwise);
    // What is remembered of a function is for the places in it.
    auto is_wanted = [&](const PreparationRow& row) {
      if (row.is_otherwise && !is_otherwise) return false;
      std::string_view function = function_of(row.tracepoint);
      return function.empty() || std::ranges::any_of(places, [&](const DerivedRow* place) {
               return function_of(place->tracepoint) == function;
             });
    };
    for (const PreparationRow& row : preparation_rows) {
      if (row.provider != name_ || !glob_matches(row.name, probe.name) || !is_wanted(row)) continue;
      std::string_view place = first_there(row.tracepoint);
      if (!place.empty()) probe.preparations.push_back(clause_on(place, row.clause));
    }
  }

  // Of tracepoints, separated by blanks, the first that this kernel has; empty: none. Other places are themselves.
  std::string_view first_there(std::string_view tracepoints) {
    while (!tracepoints.empty()) {
      std::string_view first = tracepoints.substr(0, tracepoints.find(' '));
      if (first.find(':') != std::string_view::npos || kernel_types_.count_tracepoint_parameters(first)) return first;
      tracepoints.remove_prefix(std::min(first.size() + 1, tracepoints.size()));
    }
    return {};
  }

  // Whether the kernel has the function that the place is in, with as many parameters, and lets us probe it; true of
  // other places. Asked only for probes that are wanted: there are 50,000 functions to look through.
  bool is_function_there(const DerivedRow& row) {
    std::string_view function = function_of(row.tracepoint);
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
  std::vector<const DerivedRow*> places_of(std::string_view probe) {
    std::vector<const DerivedRow*> places;
    bool has_better = false;
    for (const DerivedRow* row : rows_) {
      if (row->name != probe || (row->is_otherwise && has_better) || !is_function_there(*row)) continue;
      has_better |= !row->is_otherwise;
      places.push_back(row);
    }
    return places;
  }

  bool has_place(std::string_view probe) {
    return std::any_of(rows_.begin(), rows_.end(),
                       [&](const DerivedRow* row) { return row->name == probe && is_function_there(*row); });
  }

  // As far as can be told without looking for functions.
  bool is_possible(const DerivedRow& row) {
    if (row.tracepoint.find(':') != std::string_view::npos) return true;
    auto parameters = kernel_types_.count_tracepoint_parameters(row.tracepoint);
    return parameters && *parameters >= row.min_parameters && *parameters <= row.max_parameters;
  }

  // Of the probes this kernel can have, sorted.
  const std::vector<std::string_view>& names() {
    if (is_read_) return names_;
    is_read_ = true;
    for (const DerivedRow& row : derived_rows) {
      if (row.provider != name_ || !is_possible(row)) continue;
      rows_.push_back(&row);
      names_.push_back(row.name);
    }
    std::sort(names_.begin(), names_.end());
    names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
    return names_;
  }

  std::string_view name_;
  const ModuleRow* module_ = nullptr;  // if the probes are not of the kernel proper
  KernelTypes& kernel_types_;
  KernelFunctions& functions_;
  bool is_read_ = false;
  std::vector<const DerivedRow*> rows_;
  std::vector<std::string_view> names_;
};

}  // namespace

void load_derived_args(std::string_view arguments, Probe& probe, TypeTable& types, KernelTypes& kernel_types) {
  auto lookup = [&](const std::string& type_name) { return kernel_types.find(types, "", type_name); };
  for (std::string_view rest = arguments; !rest.empty();) {
    std::string_view argument = take_part(rest, ", ");
    std::string native{take_part(argument, " : ")};
    auto type = read_type_text(types, native, PointerSpace::Kernel, lookup);
    // Types of the D libraries are the compiler's to know.
    probe.args.push_back({.type_text = native,
                          .type = type.value_or(TypeTable::error_type()),
                          .name = {},
                          .source = {},
                          .translated_text = std::string{argument}});
  }
}

std::vector<std::unique_ptr<Provider>> make_derived_providers(KernelTypes& kernel_types, KernelFunctions& functions) {
  std::vector<std::string_view> names;
  for (const DerivedRow& row : derived_rows) names.push_back(row.provider);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::vector<std::unique_ptr<Provider>> providers;
  for (std::string_view name : names)
    providers.push_back(std::make_unique<DerivedProvider>(name, kernel_types, functions));
  return providers;
}

}  // namespace dscope
