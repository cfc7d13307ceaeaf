// Bundles that anyone may have written. The input is the content of a bundle, without its header: the fuzzer adds one
// with the right checksum. A bundle that can be read must survive being written again, and its dumps must end.
#include <zlib.h>

#include <cstdlib>
#include <string>

#include "archive/bundle.h"
#include "support/format.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view content(reinterpret_cast<const char*>(data), size);
  // Seeds are whole bundles.
  constexpr std::string_view magic = "dscope bundle\n";
  constexpr size_t header_size = 18;
  if (content.starts_with(magic) && content.size() >= magic.size() + header_size)
    content.remove_prefix(magic.size() + header_size);
  auto checksum = static_cast<uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<z_size_t>(content.size())));
  for (int version : {1, 2}) {
    auto bundle = dscope::unpack_bundle(fmt::format("{}{:08x} {:08x}\n{}", magic, version, checksum, content));
    if (!bundle) continue;
    std::string bytes = dscope::pack_bundle(*bundle);
    auto again = dscope::unpack_bundle(bytes);
    if (!again || dscope::pack_bundle(*again) != bytes) std::abort();
    dscope::dump_plan(bundle->plan);
    dscope::plan_as_json(bundle->plan);
  }
  return 0;
}
