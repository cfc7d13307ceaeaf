// ClauseChecker: one clause instance per clause and probe description: bound, typed, then checked (d-language.md 5.3,
// 7.4).
#pragma once

#include <vector>

#include "frontend/check/check_context.h"

namespace dscope {

class ArgumentTyper;
class PendingMistakes;
class ProbeBinder;
class StatementChecker;
class StatementTyper;
class TracedVariableTyper;
class TypingState;

class ClauseChecker : private CheckerPart {
 public:
  ClauseChecker(CheckContext& context, PendingMistakes& pending, ProbeBinder& binder,
                StatementChecker& statement_checker, StatementTyper& statements, ArgumentTyper& arguments,
                TracedVariableTyper& traced_variables, TypingState& typing)
      : CheckerPart(context),
        pending_(pending),
        binder_(binder),
        statement_checker_(statement_checker),
        statements_(statements),
        arguments_(arguments),
        traced_variables_(traced_variables),
        typing_(typing) {}

  void check(const External& external, const Clause& clause);
  void type_again(ClauseInstance& instance);

 private:
  void check_without_probes(const External& external, const Clause& clause);
  ClauseInstance instance_for(std::vector<const Probe*> probes, const ClauseInstance& other);
  void check_instance(ClauseInstance& instance, const Position& end);
  void type_instance(const Clause& clause, const Position& end);
  void type_body(const Clause& clause);

  PendingMistakes& pending_;
  ProbeBinder& binder_;
  StatementChecker& statement_checker_;
  StatementTyper& statements_;
  ArgumentTyper& arguments_;
  TracedVariableTyper& traced_variables_;
  TypingState& typing_;
};

}  // namespace dscope
