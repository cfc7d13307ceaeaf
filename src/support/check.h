// DS_CHECK stops dscope at a bug in dscope itself. It states a condition that holds whatever the user or the machine
// does.
#pragma once

#include <cstdio>
#include <cstdlib>

#define DS_CHECK(condition)                                                   \
  do {                                                                        \
    if (!(condition)) ::dscope::check_failed(#condition, __FILE__, __LINE__); \
  } while (false)
#define DS_UNREACHABLE() ::dscope::check_failed("unreachable", __FILE__, __LINE__)

namespace dscope {

[[noreturn]] inline void check_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "dscope: internal error at %s:%d: %s\n", file, line, condition);
  std::abort();
}

// Joins lambdas into one visitor for std::visit.
template <typename... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <typename... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

}  // namespace dscope
