// Errors on standard error, in the style that option diagnostics selects.
#pragma once

#include <string_view>

#include "catalog/option_values.h"
#include "support/result.h"

namespace dscope {

// Classic: only the lines that DTrace prints, which programs parse. Hinted: these lines, then hints; for logs and for
// programs that help people. Full: with source lines and hints, for people.
enum class MessageStyle : uint8_t { Classic, Hinted, Full };

// `diagnostics`: value of the option, "full" or "classic". Otherwise the style is Full if stderr is a terminal, Classic
// for a program named dtrace and in test suites, and else Hinted.
MessageStyle message_style(std::string_view program_name, std::string_view diagnostics);
MessageStyle message_style(std::string_view program_name, const OptionValues& options);

// Prints "NAME: message" and, on a second line, the hint. Returns the error's exit status.
int report(std::string_view program_name, const Error& error);

// Returns the error of a user's mistake as the style shows it: without its hint if the style is Classic. Errors of the
// machine keep their hints in both styles.
Error mistake(Error error, MessageStyle style);

// Whether the test suite of dtrace-utils runs the program (_DTRACE_TESTING): it compares messages literally.
bool is_testing();

}  // namespace dscope
