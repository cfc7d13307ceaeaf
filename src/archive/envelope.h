// The envelope of a file of ours: a line that names its kind, "VERSION CHECKSUM\n" (both as eight hexadecimal digits),
// and the content. A release reads all versions up to its own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "support/result.h"

namespace dscope {

struct EnvelopeKind {
  std::string_view magic;  // the first line, with its end
  std::string_view noun;   // for messages: "bundle"
  uint32_t version = 0;
};

std::string seal(const EnvelopeKind& kind, std::string_view content);

struct Envelope {
  uint32_t version = 0;
  std::string_view content;
};
// Returns the content if its checksum is right. Fails with one sentence.
Result<Envelope> open_envelope(const EnvelopeKind& kind, std::string_view bytes);

// "the bundle is damaged: REASON"
Error damaged(const EnvelopeKind& kind, std::string_view reason);

}  // namespace dscope
