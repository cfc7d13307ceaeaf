// Objects and archives given to dscope -G.
#include "foreign_file.h"
#include "runtime/usdt/object_probes.h"
#include "runtime/usdt/provider_object.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const dscope::fuzz::NamedFile file(dscope::fuzz::scratch_path("object"));
  file.write(data, size);
  auto probes = dscope::read_object_probes(file.path());
  if (!probes) return 0;
  for (const dscope::ObjectProbes::Call& call : probes->calls) DS_CHECK(!call.provider.empty() && !call.name.empty());
  dscope::check_objects({}, {&*probes, 1});
  return 0;
}
