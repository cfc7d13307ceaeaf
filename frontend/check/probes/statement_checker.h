// StatementChecker: the actions of a typed clause and their order (d-language.md 7.4), and whether the clause records
// (consumer-and-actions.md 1.6).
#pragma once

#include <vector>

#include "frontend/check/check_context.h"

namespace dscope {

class ActionChecker;
class AggregationChecker;
class PendingMistakes;

// The restrictions that earlier statements put on a clause (d-language.md 7.4).
struct ClauseState {
  bool has_recorded = false;       // a recording action or an aggregation
  bool has_recorded_here = false;  // in this block
  bool has_speculated = false;
  bool has_committed = false;
  bool may_have_committed = false;  // in a branch: the clause's record was begun before and would come too early
  bool is_live = true;              // false in a branch that is never taken

  // A commit() in a branch may follow what the clause has recorded, as if the branch were a clause of its own.
  ClauseState in_branch() const {
    ClauseState branch = *this;
    branch.has_recorded_here = false;
    return branch;
  }
  // After a branch, everything that it does may have been done.
  void add_branch(const ClauseState& branch) {
    has_recorded |= branch.has_recorded;
    has_speculated |= branch.has_speculated;
    may_have_committed |= branch.has_committed || branch.may_have_committed;
  }
};

class StatementChecker : private CheckerPart {
 public:
  StatementChecker(CheckContext& context, ActionChecker& actions, AggregationChecker& aggregation_checker,
                   PendingMistakes& pending)
      : CheckerPart(context), actions_(actions), aggregation_checker_(aggregation_checker), pending_(pending) {}

  void check(const std::vector<Statement*>& body, ClauseState& state);
  void check_aggregation_order(const Position& at, ClauseState& state);

 private:
  void check_statement(const Statement& statement, ClauseState& state);
  void check_effects(const Expr& expr, ClauseState& state);
  void check_order(const Position& at, Action action, ClauseState& state);
  void check_speculation_order(const Position& at, Action action, ClauseState& state);
  void check_recording_order(const Position& at, ActionEffect effect, ClauseState& state);

  ActionChecker& actions_;
  AggregationChecker& aggregation_checker_;
  PendingMistakes& pending_;
};

}  // namespace dscope
