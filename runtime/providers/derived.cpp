// Providers of probes that are made of tracepoints, in D (Probe::derivations): proc, sched, io, ip, tcp, udp. A line of
// derived_probes.def is all there is to say about one; what the running kernel does not have is not published.
#include <algorithm>

#include "contract/type.h"
#include "runtime/btf_types.h"
#include "runtime/providers/provider.h"
#include "runtime/type_text.h"
#include "support/format.h"

namespace dscope {
namespace {

struct DerivedRow {
  std::string_view provider, name;
  uint32_t order;
  int subject;
  std::string_view tracepoint;
  size_t least_parameters, most_parameters;
  std::string_view arguments, clause;
};

#define DS_DERIVED(provider, name, order, subject, tracepoint, least, most, arguments, clause) \
  {provider, name, order, subject, tracepoint, least, most, arguments, clause},
constexpr DerivedRow derived_rows[] = {
#include "runtime/providers/derived_probes.def"
};
#undef DS_DERIVED

// Takes the text up to `separator` off the front of `rest`.
std::string_view take_part(std::string_view& rest, std::string_view separator) {
  std::string_view part = rest.substr(0, rest.find(separator));
  rest.remove_prefix(std::min(rest.size(), part.size() + separator.size()));
  return part;
}

class DerivedProvider final : public Provider {
 public:
  DerivedProvider(std::string_view name, KernelTypes& kernel_types) : name_(name), kernel_types_(kernel_types) {}

  std::string_view name() const override { return name_; }

  bool could_match(const ProbeDescription& description) const override {
    return field_matches(description.provider, name_) && field_matches(description.module, module) &&
           field_matches(description.function, "") &&
           std::any_of(std::begin(derived_rows), std::end(derived_rows), [&](const DerivedRow& row) {
             return row.provider == name_ && field_matches(description.name, row.name);
           });
  }

  size_t count() override { return names().size(); }
  ProbeName probe_name(size_t index) override { return {.module = module, .function = {}, .name = names()[index]}; }

  void describe(size_t index, Probe& probe) override {
    probe.has_typed_args = true;
    for (const DerivedRow* row : rows_) {
      if (row->name != names()[index]) continue;
      Derivation derivation{.clause = fmt::format("rawtp:::{} {}", row->tracepoint, row->clause), .order = row->order};
      if (row->subject >= 0) derivation.subject = static_cast<uint32_t>(row->subject);
      probe.derivations.push_back(std::move(derivation));
    }
  }

  void load_args(Probe& probe, TypeTable& types) override {
    auto row =
        std::find_if(rows_.begin(), rows_.end(), [&](const DerivedRow* each) { return each->name == probe.name; });
    auto lookup = [&](const std::string& type_name) { return kernel_types_.find(types, "", type_name); };
    for (std::string_view rest = (*row)->arguments; !rest.empty();) {
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

  std::string why_missing(const ProbeDescription& description) override {
    for (const DerivedRow& row : derived_rows)
      if (row.provider == name_ && row.name == description.name)
        return fmt::format("this kernel lacks the tracepoint {} that {}:::{} is made of", row.tracepoint, name_,
                           row.name);
    return {};
  }

 private:
  static constexpr std::string_view module = "vmlinux";

  bool is_possible(const DerivedRow& row) {
    auto parameters = kernel_types_.count_tracepoint_parameters(row.tracepoint);
    return parameters && *parameters >= row.least_parameters && *parameters <= row.most_parameters;
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
  KernelTypes& kernel_types_;
  bool is_read_ = false;
  std::vector<const DerivedRow*> rows_;
  std::vector<std::string_view> names_;
};

}  // namespace

std::vector<std::unique_ptr<Provider>> make_derived_providers(KernelTypes& kernel_types) {
  std::vector<std::string_view> names;
  for (const DerivedRow& row : derived_rows) names.push_back(row.provider);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::vector<std::unique_ptr<Provider>> providers;
  for (std::string_view name : names) providers.push_back(std::make_unique<DerivedProvider>(name, kernel_types));
  return providers;
}

}  // namespace dscope
