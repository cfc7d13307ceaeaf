// The BTF files of kernels that tests/vm/fetch-kernel has cached.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace dscope {

inline std::filesystem::path kernel_cache() {
  if (const char* own = std::getenv("DSCOPE_VM_CACHE")) return own;
  const char *cache = std::getenv("XDG_CACHE_HOME"), *home = std::getenv("HOME");
  return (cache != nullptr ? std::filesystem::path{cache}
                           : std::filesystem::path{home != nullptr ? home : "/root"} / ".cache") /
         "dscope/kernels";
}

inline std::string cached_btf(const std::string& version) { return (kernel_cache() / ("btf-" + version)).string(); }

// The versions that dscope supports, sorted by name: "6.1", "6.12". Older kernels cannot run it.
inline std::vector<std::string> cached_versions() {
  constexpr std::string_view prefix = "btf-";
  std::vector<std::string> versions;
  std::error_code problem;
  for (const auto& entry : std::filesystem::directory_iterator(kernel_cache(), problem))
    if (std::string name = entry.path().filename(); name.starts_with(prefix) && !name.starts_with("btf-5."))
      versions.push_back(name.substr(prefix.size()));
  std::sort(versions.begin(), versions.end());
  return versions;
}

}  // namespace dscope
