#include "support/descriptor_path.h"

#include <filesystem>

namespace dscope {

std::string resolve_descriptor_path(const std::string& path) {
  if (!path.starts_with("/proc/self/fd/")) return path;
  std::error_code problem;
  std::string file = std::filesystem::read_symlink(path, problem).string();
  return file.empty() ? path : file;
}

}  // namespace dscope
