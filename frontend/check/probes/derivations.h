// Derivations: probes that a library clause derives from another probe. The clause is typed once for each derived probe
// that the program's clauses bind to. Its arguments define args[] and argN of the derived probe.
#pragma once

#include "frontend/check/check_context.h"

namespace dscope {

class ArgumentTyper;
class ExpressionTyper;
class StatementTyper;
class TypingState;

class Derivations : private CheckerPart {
 public:
  Derivations(CheckContext& context, ExpressionTyper& expressions, StatementTyper& statements, ArgumentTyper& arguments,
              TypingState& typing)
      : CheckerPart(context),
        expressions_(expressions),
        statements_(statements),
        arguments_(arguments),
        typing_(typing) {}

  void derive(const Probe& probe);
  void derive(const Probe& probe, const Derivation& derivation, const Clause& clause);
  void type(DerivedProbe& derived);

 private:
  ExpressionTyper& expressions_;
  StatementTyper& statements_;
  ArgumentTyper& arguments_;
  TypingState& typing_;
};

}  // namespace dscope
