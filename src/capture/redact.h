// Copies of captures in which strings are replaced, so that a capture can be sent to somebody else. Equal strings have
// equal replacements within a copy; a salt, which is kept nowhere, makes that they cannot be guessed.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "support/result.h"

namespace dscope {

// The words of --redact.
struct RedactedParts {
  bool has_paths = false;  // strings of system calls, files, mounts: each component of a path
  bool has_args = false;   // arguments of programs and all other strings: each word
  bool has_names = false;  // names of programs and threads
};

using RedactionSalt = std::array<uint64_t, 2>;

// "paths,args,names", or some of them. Fails for other words.
Result<RedactedParts> parse_redacted_parts(std::string_view words);

// Writes the copy. Numbers and stacks stay. A damaged capture is copied up to the damage; the result says so.
struct Redaction {
  uint64_t event_count = 0;
  std::string damage;  // empty: none
};
Result<Redaction> redact_capture(const std::string& from, const std::string& to, const RedactedParts& parts,
                                 const RedactionSalt& salt);

}  // namespace dscope
