#include "driver/cache/code_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <memory>
#include <vector>

#include "support/format.h"
#include "support/read_file.h"

namespace dscope {

namespace {

constexpr std::string_view suffix = ".code";

std::string user_directory() {
  if (::geteuid() == 0) return "/var/cache/dscope";
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && cache[0] == '/') return fmt::format("{}/dscope", cache);
  const char* home = std::getenv("HOME");
  return home != nullptr && home[0] == '/' ? fmt::format("{}/.cache/dscope", home) : std::string();
}

// FNV-1a, 64 bits. Two keys may share a file name: the file contains its key.
std::string file_name_of(std::string_view key) {
  uint64_t hash = 0xcbf29ce484222325;
  for (char c : key) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("{:016x}{}", hash, suffix);
}

bool is_only_ours(const struct stat& file) { return file.st_uid == ::geteuid() && (file.st_mode & 077) == 0; }

// A file: the size of the key as eight hexadecimal digits, the key, the bundle.
constexpr size_t size_digits = 8;

std::optional<std::string_view> bundle_bytes(std::string_view file, std::string_view key) {
  uint32_t size = 0;
  if (file.size() < size_digits) return std::nullopt;
  const char* digits_end = file.begin() + size_digits;
  auto [end, error] = std::from_chars(file.begin(), digits_end, size, 16);
  if (error != std::errc{} || end != digits_end) return std::nullopt;
  file.remove_prefix(size_digits);
  if (size != key.size() || file.substr(0, size) != key) return std::nullopt;
  return file.substr(size);
}

}  // namespace

std::optional<CodeCache> CodeCache::open() {
  std::string directory = user_directory();
  if (directory.empty()) return std::nullopt;
  return open_at(directory);
}

std::optional<CodeCache> CodeCache::open_at(const std::string& directory) {
  constexpr int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  Fd folder(::open(directory.c_str(), flags));
  if (!folder && errno == ENOENT) {
    ::mkdir(directory.substr(0, directory.rfind('/')).c_str(), 0700);  // ~/.cache, if it is missing
    ::mkdir(directory.c_str(), 0700);
    folder = Fd(::open(directory.c_str(), flags));
  }
  struct stat status{};
  if (!folder || ::fstat(folder.get(), &status) != 0 || !is_only_ours(status)) return std::nullopt;
  return CodeCache(std::move(folder));
}

std::optional<Bundle> CodeCache::find(std::string_view key) const {
  Fd file(::openat(directory_.get(), file_name_of(key).c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  struct stat status{};
  if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) || !is_only_ours(status))
    return std::nullopt;
  if (static_cast<uint64_t>(status.st_size) > max_bytes) return std::nullopt;
  auto content = read_all(file, "");
  if (!content) return std::nullopt;
  auto bytes = bundle_bytes(*content, key);
  if (!bytes) return std::nullopt;
  auto bundle = unpack_bundle(*bytes);
  if (!bundle) return std::nullopt;
  ::futimens(file.get(), nullptr);  // used now
  return std::move(*bundle);
}

void CodeCache::store(std::string_view key, const Bundle& bundle) const {
  std::string bytes = fmt::format("{:08x}{}{}", key.size(), key, pack_bundle(bundle));
  if (bytes.size() > max_bytes) return;
  std::string name = file_name_of(key), temporary = fmt::format("{}.{}", name, ::getpid());
  Fd file(::openat(directory_.get(), temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file) return;
  bool is_stored = write_all(file.get(), bytes) &&
                   ::renameat(directory_.get(), temporary.c_str(), directory_.get(), name.c_str()) == 0;
  if (!is_stored) ::unlinkat(directory_.get(), temporary.c_str(), 0);
  remove_oldest();
}

void CodeCache::remove_oldest() const {
  struct Entry {
    std::string name;
    timespec used;
    uint64_t size;
  };
  std::unique_ptr<DIR, int (*)(DIR*)> directory(::fdopendir(::openat(directory_.get(), ".", O_RDONLY | O_CLOEXEC)),
                                                ::closedir);
  if (!directory) return;
  std::vector<Entry> entries;
  uint64_t sum = 0;
  while (const dirent* found = ::readdir(directory.get())) {
    struct stat file{};
    std::string name = found->d_name;
    if (name.find(suffix) == std::string::npos) continue;
    if (::fstatat(directory_.get(), name.c_str(), &file, AT_SYMLINK_NOFOLLOW) != 0) continue;
    sum += static_cast<uint64_t>(file.st_size);
    entries.push_back({.name = std::move(name), .used = file.st_mtim, .size = static_cast<uint64_t>(file.st_size)});
  }
  std::ranges::sort(entries, {}, [](const Entry& entry) { return std::pair{entry.used.tv_sec, entry.used.tv_nsec}; });
  for (const Entry& entry : entries) {
    if (sum <= max_bytes) return;
    if (::unlinkat(directory_.get(), entry.name.c_str(), 0) == 0) sum -= entry.size;
  }
}

}  // namespace dscope
