// Names of C++ with parameters or template arguments, as descriptions have them.
#pragma once

#include <string>
#include <string_view>

namespace dscope {

// Whether `pattern` means the function that is demangled as `signature`, however it is spelled: blanks, const before or
// behind its type, std::string or what it stands for, allocators or not. Where the pattern has no parameters, any will
// do; const behind them may be left out.
bool signature_matches(std::string_view pattern, std::string_view signature);

}  // namespace dscope
