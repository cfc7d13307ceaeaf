// Makes one readable hint of the kernel verifier's log: the last source line it was at, and its complaint.
#pragma once

#include <string>
#include <string_view>

namespace dscope {

// "script.d:3: @[execname] = quantize(arg2): R1 invalid mem access 'scalar'" if the log has source lines, else the last
// ten lines of the log.
std::string explain_verifier_log(std::string_view log);

}  // namespace dscope
