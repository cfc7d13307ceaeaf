// The only file that catches exceptions of cereal for bundles.
#include "archive/bundle.h"

#include "archive/binary_archive.h"
#include "archive/envelope.h"
#include "archive/plan_fields.h"
#include "support/format.h"

namespace dscope {

namespace {

// Version 1 has no open numbers, version 2 no marks of intervals, and version 3 no recording.
constexpr EnvelopeKind bundle_envelope{.magic = "dscope bundle\n", .noun = "bundle", .version = 4};

template <typename Archive, typename AnyBundle>
void transfer(Archive& archive, AnyBundle& bundle, std::string& object, uint32_t version) {
  archive(bundle.notices, bundle.plan, object);
  if (version >= 2) archive(bundle.open_numbers);
  if (version >= 3) archive(bundle.plan.interval_marks);
  if (version >= 4) archive(bundle.recording);
}

}  // namespace

std::string pack_bundle(const Bundle& bundle) {
  std::string bytes;
  ByteOutput archive(bytes);
  std::string object(bundle.object.bytes.begin(), bundle.object.bytes.end());
  transfer(archive, bundle, object, bundle_envelope.version);
  return seal(bundle_envelope, bytes);
}

Result<Bundle> unpack_bundle(std::string_view bytes) {
  if (bytes.size() > max_bundle_bytes)
    return fail(Error::make("the bundle is too large: {} bytes, at most {}", bytes.size(), max_bundle_bytes));
  DS_TRY(Envelope envelope, open_envelope(bundle_envelope, bytes));
  Bundle bundle;
  try {
    ByteInput archive(envelope.content);
    std::string object;
    transfer(archive, bundle, object, envelope.version);
    bundle.object.bytes.assign(object.begin(), object.end());
    if (archive.left() != 0) return fail(damaged(bundle_envelope, "bytes follow its end"));
  } catch (const std::exception& exception) {
    return fail(damaged(bundle_envelope, exception.what()));
  }
  if (std::string problem = inconsistency(bundle.plan); !problem.empty())
    return fail(damaged(bundle_envelope, problem));
  return bundle;
}

}  // namespace dscope
