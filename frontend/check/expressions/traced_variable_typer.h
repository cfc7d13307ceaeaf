// TracedVariableTyper: $x, a variable of the traced program, and $$vars, all of them as one structure.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "frontend/check/check_context.h"

namespace dscope {

class Expansions;
class ExpressionTyper;
class HeldValues;
class TranslatedObjects;

class TracedVariableTyper : private CheckerPart {
 public:
  TracedVariableTyper(CheckContext& context, Expansions& expansions, ExpressionTyper& expressions,
                      HeldValues& held_values, TranslatedObjects& translated_objects)
      : CheckerPart(context),
        expansions_(expansions),
        expressions_(expressions),
        held_values_(held_values),
        translated_objects_(translated_objects) {}

  // If the clause instance has several probes, drops those at which the variable cannot be read.
  ExprInfo check(const Expr& expr, const Name& name);
  // Types $$vars, a structure of all local variables that can be read.
  ExprInfo check_all(const Expr& expr);
  // With threads=goroutines, lets the self-> variables of the current clause instance belong to goroutines. If some of
  // its probes fire in Go programs and others do not, the instance keeps those of one kind.
  void follow_goroutines();
  // The probes of the clause instance at which a variable has another type. They need a separate instance.
  std::vector<const Probe*> take_split_probes() { return std::exchange(split_probes_, {}); }

 private:
  enum class Likeness : uint8_t { Same, Other, Unreadable };
  enum class Owner : uint8_t { Thread, Goroutine, Unknown };

  bool has_probes(const Expr& expr, const Name& name);
  void keep_probes(const std::function<Likeness(const Probe&)>& likeness);
  ExprInfo report_undefined(const Expr& expr, const Name& name);
  ExprInfo report_unreadable(const Expr& expr, const Name& name, const TracedVariable& variable);
  std::vector<const TracedVariable*> readable_variables(const Probe& probe);
  ExprInfo info_of(const TracedVariable& variable);
  const Expr* mark_thread_locals();
  Owner owner_at(const Probe& probe);
  uint32_t number_of(const std::string& name);

  Expansions& expansions_;
  ExpressionTyper& expressions_;
  HeldValues& held_values_;
  TranslatedObjects& translated_objects_;
  std::vector<const Probe*> split_probes_;
};

}  // namespace dscope
