// ArgumentTyper: args[n], args->name and uregs[n] (d-language.md 5.4).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/check/check_context.h"

namespace dscope {

class Expansions;
class ExpressionTyper;
class NameTable;
class ProviderDefinitions;
class TranslatedObjects;

class ArgumentTyper : private CheckerPart {
 public:
  ArgumentTyper(CheckContext& context, Expansions& expansions, ExpressionTyper& expressions, NameTable& names,
                ProviderDefinitions& providers, TranslatedObjects& translated_objects)
      : CheckerPart(context),
        expansions_(expansions),
        expressions_(expressions),
        names_(names),
        providers_(providers),
        translated_objects_(translated_objects) {}

  const Expr* make_named_argument(const Member& form);
  // Returns the argument name that is most like `name`; empty if none is.
  std::string nearest_argument(std::string_view name) const;
  // `sdt:sched::sched_switch` for a raw tracepoint, whose arguments have no names; empty if there is no such probe.
  std::string probe_with_names() const;
  ExprInfo check_uregs(const Expr& expr, const Index& form);
  ExprInfo check_args(const Expr& expr, const Index& form);
  // The arguments of the clause instance's probes; nothing after an error, or if they are not known yet.
  std::optional<std::vector<ProbeArg>> arguments_of(const Expr& expr);
  // Whether an argument is text in the record of a tracepoint: args[n] is its address, but args->name is the text.
  bool is_record_text(const ProbeArg& argument) const;
  // Whether D has the type of the argument args[index] and the kernel passes its value.
  bool is_readable(const ProbeArg& argument, uint64_t index) const;
  // Starts a clause instance and forgets the arguments of the previous probes.
  void start_instance() { has_common_signature_.reset(); }
  // The probes of the clause instance whose args[] consist of other values than those of its first probe. They need a
  // separate instance.
  std::vector<const Probe*> take_split_probes() { return std::exchange(split_probes_, {}); }

 private:
  std::optional<uint64_t> constant_key(const Expr& expr, const Index& form, std::string_view name);
  ExprInfo check_expected_args(const Expr& expr, uint64_t index);
  ExprInfo drop_untyped_clause(const Expr& expr);
  bool load_signature(const Expr& expr);
  void explain_missing_types(const Probe& probe);
  ExprInfo check_typed_argument(const Expr& expr, uint64_t index, const std::vector<ProbeArg>& arguments);
  const ExprInfo* derived_argument(const Probe& probe, uint64_t index) const;

  Expansions& expansions_;
  ExpressionTyper& expressions_;
  NameTable& names_;
  ProviderDefinitions& providers_;
  TranslatedObjects& translated_objects_;

  std::optional<bool> has_common_signature_;  // nullopt: not computed yet
  std::vector<const Probe*> split_probes_;
};

}  // namespace dscope
