// The only file that catches exceptions of cereal for portable bundles.
#include "archive/portable_bundle.h"

#include <zstd.h>
#include <cereal/types/set.hpp>

#include "archive/binary_archive.h"
#include "archive/envelope.h"
#include "archive/plan_fields.h"
#include "support/format.h"

namespace dscope {

namespace {

// Version 1 has no bound kernels.
constexpr EnvelopeKind portable_kind{.magic = "dscope portable bundle\n", .noun = "bundle", .version = 2};
constexpr int compression_level = 19;

}  // namespace

template <class Archive>
void serialize(Archive& archive, BundledProgram& program) {
  archive(program.letter, program.name, program.text);
}
template <class Archive>
void serialize(Archive& archive, BundledLibrary& library) {
  archive(library.path, library.text, library.is_built_in);
}
template <class Archive>
void serialize(Archive& archive, BoundKernel& kernel) {
  archive(kernel.release, kernel.types);
}
template <class Archive>
void serialize(Archive& archive, BundledSetting& setting) {
  archive(setting.name, setting.value, setting.has_value, setting.flag);
}
template <class Archive>
void serialize(Archive& archive, MachineTableId& id) {
  auto kind_number = static_cast<uint8_t>(id.kind);
  archive(kind_number, id.program, id.detail);
  if (Archive::is_loading::value && kind_number > static_cast<uint8_t>(MachineTable::MacroText))
    throw cereal::Exception("it has an unknown table, " + std::to_string(kind_number));
  id.kind = static_cast<MachineTable>(kind_number);
}

namespace {

// A set as a list, so that reading allocates only in proportion to the input.
template <typename Archive, typename Number>
void transfer_set(Archive& archive, std::set<Number>& numbers) {
  std::vector<uint64_t> list(numbers.begin(), numbers.end());
  archive(list);
  numbers.clear();
  for (uint64_t number : list) numbers.insert(static_cast<Number>(number));
}

}  // namespace

template <class Archive>
void serialize(Archive& archive, CodeResults& results) {
  archive(results.scratch_size, word(results.scratch_kind), results.scratch_slots, results.fault_sites,
          results.late.numbers, results.late.tables);
  transfer_set(archive, results.sleeping_programs);
  transfer_set(archive, results.late.fixed_values);
}
template <class Archive>
void serialize(Archive& archive, BundledCode& code) {
  std::string object(code.object.bytes.begin(), code.object.bytes.end());
  archive(code.form, code.shape, code.value_names, code.fixed_values, code.results, object);
  code.object.bytes.assign(object.begin(), object.end());
}
template <class Archive>
void serialize(Archive& archive, PortableBundle& bundle) {
  archive(bundle.builder, bundle.invoked_as, word(bundle.data_model), bundle.programs, bundle.libraries,
          bundle.settings, bundle.is_destructive, bundle.probes, bundle.codes);
}

namespace {

std::string compress(std::string_view content) {
  std::string bytes(ZSTD_compressBound(content.size()), '\0');
  size_t size = ZSTD_compress(bytes.data(), bytes.size(), content.data(), content.size(), compression_level);
  bytes.resize(ZSTD_isError(size) != 0 ? 0 : size);
  return bytes;
}

// A false size in the frame costs at most max_portable_content_bytes.
Result<std::string> decompress(std::string_view bytes) {
  unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN)
    return fail(damaged(portable_kind, "it is not compressed as expected"));
  if (size > max_portable_content_bytes)
    return fail(Error::make("the bundle is too large: {} bytes, at most {}", size, max_portable_content_bytes));
  std::string content(size, '\0');
  size_t got = ZSTD_decompress(content.data(), content.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(got) != 0 || got != size) return fail(damaged(portable_kind, "it cannot be decompressed"));
  return content;
}

// Returns what is wrong with the indices of the code; empty if nothing is.
std::string inconsistency_of(const BundledCode& code) {
  size_t values = code.value_names.size();
  for (const std::vector<uint32_t>& terms : code.results.late.numbers)
    for (uint32_t index : terms)
      if (index >= values) return fmt::format("a number refers to value {} of {}", index, values);
  for (uint32_t index : code.results.late.fixed_values)
    if (index >= values) return fmt::format("a fixed value refers to value {} of {}", index, values);
  if (code.fixed_values.size() != code.results.late.fixed_values.size()) return "a fixed value is missing";
  return {};
}

}  // namespace

std::string pack_portable_bundle(const PortableBundle& bundle) {
  std::string bytes;
  ByteOutput archive(bytes);
  PortableBundle copy = bundle;  // cereal's functions take no constants
  archive(copy, copy.kernels);
  return seal(portable_kind, compress(bytes));
}

Result<PortableBundle> unpack_portable_bundle(std::string_view bytes) {
  if (bytes.size() > max_portable_bundle_bytes)
    return fail(Error::make("the bundle is too large: {} bytes, at most {}", bytes.size(), max_portable_bundle_bytes));
  DS_TRY(Envelope envelope, open_envelope(portable_kind, bytes));
  DS_TRY(std::string content, decompress(envelope.content));
  PortableBundle bundle;
  try {
    ByteInput archive(content);
    archive(bundle);
    if (envelope.version >= 2) archive(bundle.kernels);
    if (archive.left() != 0) return fail(damaged(portable_kind, "bytes follow its end"));
  } catch (const std::exception& exception) {
    return fail(damaged(portable_kind, exception.what()));
  }
  for (const BundledCode& code : bundle.codes)
    if (std::string problem = inconsistency_of(code); !problem.empty()) return fail(damaged(portable_kind, problem));
  return bundle;
}

}  // namespace dscope
