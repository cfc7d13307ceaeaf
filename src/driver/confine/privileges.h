// Giving up privileges, in processes that read what others wrote.
#pragma once

#include <string_view>

#include "support/result.h"

namespace dscope {

enum class WithoutOtherUsers { IsAnError, StaysRoot };

// Root becomes the user nobody; other users stay. A user namespace may have no other user. `subject`: what the error
// says keeps its privileges.
Result<> become_nobody(std::string_view subject, WithoutOtherUsers without_others);

// Gives up all capabilities, and the ways to get them back by execve(2).
Result<> give_up_capabilities(std::string_view subject);

// Gives up the effective capabilities of this process. Programs that it starts get what they would have got, and
// `restore` brings them back.
void lower_capabilities();
void restore_capabilities();

}  // namespace dscope
