// PendingMistakes: mistakes that typing finds but that are reported later, when the actions of their statement are
// checked: DTrace reports all type errors of a clause first.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontend/check/check_context.h"

namespace dscope {

class PendingMistakes : private CheckerPart {
 public:
  explicit PendingMistakes(CheckContext& context) : CheckerPart(context) {}

  // Defers a mistake in the statement being typed.
  void defer(Tag tag, const Position& at, std::string message);
  void report_deferred(const Statement* statement);
  bool has_deferred() const { return !state_.deferred.empty(); }
  void report_last_deferred() { diagnostics_.add(state_.deferred.back().diagnostic); }

  // Records the first use of a feature that dscope does not implement. The checker reports it after all other mistakes,
  // which are mistakes with any version.
  void defer_unavailable(const Position& at, std::string message);
  void report_unavailable();
  std::optional<Diagnostic> unavailable() const { return state_.unavailable; }
  void set_unavailable(std::optional<Diagnostic> mistake) { state_.unavailable = std::move(mistake); }

  // Records copyout() and similar calls, which make the current statement destructive.
  void add_destructive_call() { state_.destructive_calls.push_back(context_.statement); }
  bool has_destructive_call(const Statement& statement) const;

  struct State {
    struct Deferred {
      const Statement* statement = nullptr;
      Diagnostic diagnostic;
    };
    std::vector<Deferred> deferred;
    std::optional<Diagnostic> unavailable;
    std::vector<const Statement*> destructive_calls;
  };
  const State& state() const { return state_; }
  void restore(State state) { state_ = std::move(state); }

 private:
  State state_;
};

}  // namespace dscope
