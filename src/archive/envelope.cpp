#include "archive/envelope.h"

#include <zlib.h>

#include <charconv>
#include <optional>

#include "support/format.h"

namespace dscope {

namespace {

constexpr size_t header_size = 8 + 1 + 8 + 1;

uint32_t checksum(std::string_view content) {
  return static_cast<uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<z_size_t>(content.size())));
}

std::optional<uint32_t> parse_hexadecimal(std::string_view digits) {
  uint32_t value = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

}  // namespace

std::string seal(const EnvelopeKind& kind, std::string_view content) {
  return fmt::format("{}{:08x} {:08x}\n{}", kind.magic, kind.version, checksum(content), content);
}

Error damaged(const EnvelopeKind& kind, std::string_view reason) {
  return Error::make("the {} is damaged: {}", kind.noun, reason);
}

Result<Envelope> open_envelope(const EnvelopeKind& kind, std::string_view bytes) {
  if (!bytes.starts_with(kind.magic)) return fail(Error::make("not a {}", kind.noun));
  bytes.remove_prefix(kind.magic.size());
  if (bytes.size() < header_size) return fail(damaged(kind, "it is cut off"));
  auto version = parse_hexadecimal(bytes.substr(0, 8));
  auto sum = parse_hexadecimal(bytes.substr(9, 8));
  if (!version || *version == 0 || !sum || bytes[8] != ' ' || bytes[17] != '\n')
    return fail(damaged(kind, "its header is malformed"));
  if (*version > kind.version)
    return fail(Error::make("a later release of dscope wrote the {}: its format is {}, this release reads up to {}",
                            kind.noun, *version, kind.version));
  bytes.remove_prefix(header_size);
  if (checksum(bytes) != *sum) return fail(damaged(kind, "its checksum is wrong"));
  return Envelope{.version = *version, .content = bytes};
}

}  // namespace dscope
