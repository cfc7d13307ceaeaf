// Result<T>: a value, or an Error of the machine with a message and a hint. Every layer uses it for failures that are
// neither errors in the user's D program (those are diagnostics) nor bugs of dscope (those are DS_CHECK).
#pragma once

#include <cerrno>
#include <cstring>
#include <string>
#include <tl/expected.hpp>
#include <utility>

#include "support/format.h"

namespace dscope {

// An error message in one sentence without a full stop, an optional hint, and the exit status.
class [[nodiscard]] Error {
 public:
  explicit Error(std::string message) : message_(std::move(message)) {}

  template <typename... Args>
  static Error make(fmt::format_string<Args...> text, Args&&... args) {
    return Error{fmt::format(text, std::forward<Args>(args)...)};
  }

  // Appends ": <strerror>" for the errno value `error_number` to the text.
  template <typename... Args>
  static Error from_errno(int error_number, fmt::format_string<Args...> text, Args&&... args) {
    Error error{fmt::format(text, std::forward<Args>(args)...) + ": " + std::strerror(error_number)};
    error.error_number_ = error_number;
    return error;
  }

  Error&& hint(std::string text) && {
    hint_ = std::move(text);
    return std::move(*this);
  }
  Error&& status(int exit_status) && {
    exit_status_ = exit_status;
    return std::move(*this);
  }
  // Prepends `context` and ": " to the message.
  Error&& with_context(std::string_view context) && {
    message_ = fmt::format("{}: {}", context, message_);
    return std::move(*this);
  }

  const std::string& message() const { return message_; }
  const std::string& hint_text() const { return hint_; }
  int exit_status() const { return exit_status_; }
  int error_number() const { return error_number_; }

 private:
  std::string message_;
  std::string hint_;
  int exit_status_ = 1;
  int error_number_ = 0;
};

template <typename T = void>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(Error error) { return tl::unexpected<Error>(std::move(error)); }

}  // namespace dscope

#define DS_CONCAT_(a, b) a##b
#define DS_CONCAT(a, b) DS_CONCAT_(a, b)
#define DS_TRY_(name, declaration, expression)                 \
  auto name = (expression);                                    \
  if (!name) return ::tl::unexpected(std::move(name).error()); \
  declaration = std::move(*name)
// DS_TRY(Fd event, open_perf_event(hook, cpu)); binds the value or returns the error to the caller.
#define DS_TRY(declaration, expression) DS_TRY_(DS_CONCAT(ds_try_, __LINE__), declaration, expression)
// DS_TRY_VOID(attach(program)); returns the error, if any, to the caller. It is a loop, because an `if` would capture
// the `else` of an enclosing `if`.
#define DS_TRY_VOID(expression)                                                          \
  for (auto DS_CONCAT(ds_try_, __LINE__) = (expression); !DS_CONCAT(ds_try_, __LINE__);) \
  return ::tl::unexpected(std::move(DS_CONCAT(ds_try_, __LINE__)).error())
