// The only file that catches exceptions of cereal for bundles.
#include "archive/bundle.h"

#include <zlib.h>
#include <cereal/archives/portable_binary.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>

#include "support/format.h"

// Texts of binary archives: the size, then the bytes. A false size costs no memory, because reading grows the text with
// the bytes that the input has.
namespace cereal {

inline void CEREAL_SAVE_FUNCTION_NAME(PortableBinaryOutputArchive& archive, const std::string& text) {
  archive(make_size_tag(static_cast<size_type>(text.size())), binary_data(text.data(), text.size()));
}
inline void CEREAL_LOAD_FUNCTION_NAME(PortableBinaryInputArchive& archive, std::string& text) {
  size_type left = 0;
  archive(make_size_tag(left));
  text.clear();
  std::array<char, 4096> piece;
  while (left > 0) {
    size_t count = std::min<size_type>(left, piece.size());
    archive(binary_data(piece.data(), count));
    text.append(piece.data(), count);
    left -= count;
  }
}

// Other values than 0 and 1 are no bool.
inline void CEREAL_LOAD_FUNCTION_NAME(PortableBinaryInputArchive& archive, bool& value) {
  uint8_t byte = 0;
  archive(byte);
  if (byte > 1) throw Exception("a truth value is " + std::to_string(byte));
  value = byte != 0;
}

}  // namespace cereal

#include "archive/plan_fields.h"

namespace dscope {

namespace {

constexpr std::string_view magic = "dscope bundle\n";
// Version 1 is the first. A release reads all versions up to its own.
constexpr uint32_t format_version = 1;
// "VERSION CHECKSUM\n", both as eight hexadecimal digits.
constexpr size_t header_size = 8 + 1 + 8 + 1;

uint32_t checksum(std::string_view content) {
  return static_cast<uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<z_size_t>(content.size())));
}

template <typename Archive, typename AnyBundle>
void transfer(Archive& archive, AnyBundle& bundle, std::string& object) {
  archive(bundle.notices, bundle.plan, object);
}

std::optional<uint32_t> parse_hexadecimal(std::string_view digits) {
  uint32_t value = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

Error damaged(std::string_view reason) { return Error::make("the bundle is damaged: {}", reason); }

// Returns the content after the header, whose checksum is right.
Result<std::string_view> checked_content(std::string_view bytes) {
  if (!bytes.starts_with(magic)) return fail(Error("not a bundle"));
  bytes.remove_prefix(magic.size());
  if (bytes.size() < header_size) return fail(damaged("it is cut off"));
  auto version = parse_hexadecimal(bytes.substr(0, 8));
  auto sum = parse_hexadecimal(bytes.substr(9, 8));
  if (!version || *version == 0 || !sum || bytes[8] != ' ' || bytes[17] != '\n')
    return fail(damaged("its header is malformed"));
  if (*version > format_version)
    return fail(Error::make("a later release of dscope wrote the bundle: its format is {}, this release reads up to {}",
                            *version, format_version));
  bytes.remove_prefix(header_size);
  if (checksum(bytes) != *sum) return fail(damaged("its checksum is wrong"));
  return bytes;
}

}  // namespace

std::string pack_bundle(const Bundle& bundle) {
  std::ostringstream stream;
  {
    cereal::PortableBinaryOutputArchive archive(stream);
    std::string object(bundle.object.bytes.begin(), bundle.object.bytes.end());
    transfer(archive, bundle, object);
  }
  std::string content = std::move(stream).str();
  return fmt::format("{}{:08x} {:08x}\n{}", magic, format_version, checksum(content), content);
}

Result<Bundle> unpack_bundle(std::string_view bytes) {
  if (bytes.size() > max_bundle_bytes)
    return fail(Error::make("the bundle is too large: {} bytes, at most {}", bytes.size(), max_bundle_bytes));
  DS_TRY(std::string_view content, checked_content(bytes));
  Bundle bundle;
  try {
    std::istringstream stream{std::string(content)};
    cereal::PortableBinaryInputArchive archive(stream);
    std::string object;
    transfer(archive, bundle, object);
    bundle.object.bytes.assign(object.begin(), object.end());
    if (stream.peek() != std::istringstream::traits_type::eof()) return fail(damaged("bytes follow its end"));
  } catch (const std::exception& exception) {
    return fail(damaged(exception.what()));
  }
  if (std::string problem = inconsistency(bundle.plan); !problem.empty()) return fail(damaged(problem));
  return bundle;
}

}  // namespace dscope
