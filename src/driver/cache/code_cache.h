// The cache of compiled programs: one file for each key, readable by its owner only. Root's is in /var/cache/dscope,
// that of other users in $XDG_CACHE_HOME/dscope or ~/.cache/dscope. Users never share one.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "archive/bundle.h"
#include "support/fd.h"

namespace dscope {

class CodeCache {
 public:
  // Files above this sum are removed, the least recently used first.
  static constexpr uint64_t max_bytes = uint64_t{64} << 20;

  // The cache of this user, created if necessary. nullopt if there is no directory that only this user can change.
  static std::optional<CodeCache> open();
  static std::optional<CodeCache> open_at(const std::string& directory);

  // Returns the bundle that was stored with exactly this key; nullopt if there is none or the file is damaged.
  std::optional<Bundle> find(std::string_view key) const;
  // Replaces the file atomically. Ignores failures: the next run compiles again.
  void store(std::string_view key, const Bundle& bundle) const;

 private:
  explicit CodeCache(Fd directory) : directory_(std::move(directory)) {}
  void remove_oldest() const;

  Fd directory_;
};

}  // namespace dscope
