#include "driver/bundle/open_bundle.h"

#include <cstdio>

#include "driver/bundle/bundle_info.h"

namespace dscope {

namespace {

Result<std::string> read_bytes(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "re");
  if (file == nullptr) return fail(Error::from_errno(errno, "cannot open {}", path));
  std::string bytes;
  char buffer[65536];
  size_t count = 0;
  while (bytes.size() <= max_portable_bundle_bytes && (count = std::fread(buffer, 1, sizeof buffer, file)) != 0)
    bytes.append(buffer, count);
  int problem = std::ferror(file) != 0 ? errno : 0;
  std::fclose(file);
  if (problem != 0) return fail(Error::from_errno(problem, "cannot read {}", path));
  return bytes;
}

Result<PortableBundle> unpack(const std::string& bytes, const std::string& path) {
  auto bundle = unpack_portable_bundle(bytes);
  if (!bundle) return fail(std::move(bundle.error()).with_context(path));
  return bundle;
}

}  // namespace

Result<PortableBundle> open_bundle(const std::string& path) {
  DS_TRY(std::string bytes, read_bytes(path));
  return unpack(bytes, path);
}

Result<std::string> describe_bundle_file(const std::string& path) {
  DS_TRY(std::string bytes, read_bytes(path));
  DS_TRY(PortableBundle bundle, unpack(bytes, path));
  return bundle_info(bundle, path, bytes.size());
}

}  // namespace dscope
