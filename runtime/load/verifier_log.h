// Summarizes the kernel verifier's log in one hint: the last source line it reached and its complaint.
#pragma once

#include <string>
#include <string_view>

namespace dscope {

// "script.d:3: @[execname] = quantize(arg2): R1 invalid mem access 'scalar'" if the log has source lines, else the last
// ten lines of the log.
std::string explain_verifier_log(std::string_view log);

}  // namespace dscope
