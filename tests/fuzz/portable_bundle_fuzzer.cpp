// Portable bundles that anyone may have written. The input is the content of a bundle before compression: the fuzzer
// compresses and seals it. A bundle that can be read must survive being written again, and its code must bind or be
// refused.
#include <zstd.h>

#include <cstdlib>
#include <string>

#include "archive/envelope.h"
#include "archive/portable_bundle.h"
#include "runtime/load/late_binder.h"

namespace {

constexpr dscope::EnvelopeKind kind{.magic = "dscope portable bundle\n", .noun = "bundle", .version = 1};

// Seeds are whole bundles.
std::string content_of(std::string_view bytes) {
  auto envelope = dscope::open_envelope(kind, bytes);
  if (!envelope) return std::string(bytes);
  unsigned long long size = ZSTD_getFrameContentSize(envelope->content.data(), envelope->content.size());
  if (size > (1U << 20)) return {};
  std::string content(size, '\0');
  ZSTD_decompress(content.data(), content.size(), envelope->content.data(), envelope->content.size());
  return content;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string content = content_of({reinterpret_cast<const char*>(data), size});
  std::string compressed(ZSTD_compressBound(content.size()), '\0');
  compressed.resize(ZSTD_compress(compressed.data(), compressed.size(), content.data(), content.size(), 1));
  auto bundle = dscope::unpack_portable_bundle(dscope::seal(kind, compressed));
  if (!bundle) return 0;
  std::string bytes = dscope::pack_portable_bundle(*bundle);
  auto again = dscope::unpack_portable_bundle(bytes);
  if (!again || dscope::pack_portable_bundle(*again) != bytes) std::abort();
  for (const dscope::BundledCode& code : bundle->codes) {
    dscope::LateContent late;
    late.numbers.assign(code.results.late.numbers.size(), 0x1234);
    late.tables.assign(code.results.late.tables.size(), std::string(40, 'x'));
    (void)dscope::bind_late_code(code.object, late);
  }
  return 0;
}
