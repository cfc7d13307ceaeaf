#include "driver/trace/load_policy.h"

#include <span>

#include "support/print_message.h"

namespace dscope {

namespace {

// A program that the verifier rejects is a bug of dscope. Generates it again with D lines, so that the verifier's
// message names a line. Returns `rejection` if the new error is no better.
Result<std::unique_ptr<Session>> explain_rejection(const Compilation& compilation, CodeSource& source,
                                                   const SessionOptions& options,
                                                   Result<std::unique_ptr<Session>> rejection) {
  auto described = source.generate(compilation, CodeForm::Described);
  if (!described) return rejection;
  auto again = Session::load(described->plan, described->object, options);
  // The kernel may reject the line information itself, because functions of the support library have no lines.
  bool is_other_reason = again || again.error().hint_text().find("line_info") != std::string::npos ||
                         again.error().message().find("line_info") != std::string::npos;
  return is_other_reason ? std::move(rejection) : std::move(again);
}

// Whether the verifier has given up. A map that is too large for the kernel fails with E2BIG, too.
bool is_too_large(const Error& error) {
  return error.error_number() == E2BIG && error.hint_text().find("program is too large") != std::string::npos;
}

// Another form of the code, which the verifier may accept, and the reason to use it.
struct Fallback {
  CodeForm form;
  const char* reason;
};

// Returns the forms to try after an error of the kernel, in this order; none if privileges or memory are missing.
std::span<const Fallback> fallbacks_after(const Error& error) {
  static constexpr const char* by_copies =
      "reading kernel objects by checked copies: the verifier rejected direct loads";
  static constexpr Fallback checked[] = {{CodeForm::Checked, by_copies}, {CodeForm::CheckedAwake, by_copies}};
  static constexpr Fallback shorter[] = {
      {CodeForm::Short, "compiling for size: the program is too large for the verifier"}};
  int number = error.error_number();
  bool is_rejected = number == EACCES || number == EINVAL || number == EFAULT;
  if (is_rejected) return checked;
  if (is_too_large(error)) return shorter;
  return {};
}

// Says what makes a program, or a map whose option set its size, smaller.
Error enabling_error(const OptionValues& options, Error error) {
  constexpr int64_t default_strsize = 4096;
  bool is_program = is_too_large(error);
  bool is_strsize = error.error_number() == E2BIG && options.number(OptionId::Strsize) > default_strsize;
  Error whole = std::move(error).with_context("could not enable tracing");
  if (is_program)
    return std::move(whole).hint(
        "the verifier follows every branch, and at most 1,000,000 instructions: trace the clauses of this probe in "
        "several runs, or use fewer string functions under conditions");
  if (!is_strsize) return whole;
  return std::move(whole).hint(
      fmt::format("strsize is {}: the strings of this program exceed the memory limit of a BPF map; set a smaller "
                  "strsize",
                  options.number(OptionId::Strsize)));
}

Result<std::unique_ptr<Session>> load_with_fallbacks(GeneratedCode& code, const Compilation& compilation,
                                                     CodeSource& source, const SessionOptions& options) {
  auto session = Session::load(code.plan, code.object, options);
  if (session) return session;
  std::span<const Fallback> fallbacks = fallbacks_after(session.error());
  if (fallbacks.empty()) return session;
  bool is_each_too_large = is_too_large(session.error());
  for (const Fallback& fallback : fallbacks) {
    auto other = source.generate(compilation, fallback.form);
    if (!other) return session;
    code = std::move(*other);
    auto again = Session::load(code.plan, code.object, options);
    if (!again) {
      is_each_too_large = is_each_too_large && is_too_large(again.error());
      continue;
    }
    if (options.progress != nullptr) options.progress->clear();
    if (options.is_verbose) print_message("{}: {}\n", options.program_name, fallback.reason);
    return again;
  }
  // Where the verifier gives up says nothing about the D line that made the program too large.
  if (is_each_too_large) return session;
  return explain_rejection(compilation, source, options, std::move(session));
}

}  // namespace

Result<std::unique_ptr<Session>> load(GeneratedCode& code, const Compilation& compilation, CodeSource& source,
                                      const SessionOptions& options) {
  auto session = load_with_fallbacks(code, compilation, source, options);
  if (options.progress != nullptr) options.progress->clear();
  if (!session) return fail(enabling_error(compilation.compiled.plan.options, std::move(session.error())));
  return session;
}

}  // namespace dscope
