// Parses the format of <linux/btf.h>. The blob is not trusted: offsets are checked once, when a type is indexed.
#include "runtime/kernel/btf_index.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "runtime/kernel/btf_header.h"
#include "support/fd.h"
#include "support/read_file.h"

namespace dscope {
namespace {

// The number of kinds up to Linux 6.18; our <linux/btf.h> may be older than the kernel.
constexpr uint32_t kind_count = 20;

// The number of bytes after a record; nothing for an unknown kind, because its length is unknown, too.
std::optional<size_t> trailing_size(const btf_type& type) {
  size_t length = btf_length(type);
  switch (btf_kind(type)) {
    case BTF_KIND_INT:
    case BTF_KIND_VAR:
    case BTF_KIND_DECL_TAG: return 4;
    case BTF_KIND_ARRAY: return sizeof(btf_array);
    case BTF_KIND_STRUCT:
    case BTF_KIND_UNION: return length * sizeof(btf_member);
    case BTF_KIND_ENUM: return length * sizeof(btf_enum);
    case BTF_KIND_ENUM64: return length * sizeof(btf_enum64);
    case BTF_KIND_FUNC_PROTO: return length * sizeof(btf_param);
    case BTF_KIND_DATASEC: return length * sizeof(btf_var_secinfo);
    default: break;
  }
  if (btf_kind(type) == BTF_KIND_UNKN || btf_kind(type) >= kind_count) return std::nullopt;
  return 0;
}

constexpr uint32_t nameable_kinds =
    1U << BTF_KIND_STRUCT | 1U << BTF_KIND_UNION | 1U << BTF_KIND_ENUM | 1U << BTF_KIND_TYPEDEF | 1U << BTF_KIND_ENUM64;

// A linear search takes 0.3 ms, hashing all names 1 ms.
constexpr uint32_t lookups_before_hashing = 3;
// The number of types that are parsed at once and searched first. Among Linux 6.18's 126,000 types, task_struct is the
// 114th, sk_buff the 873rd, sock the 2,953rd, fdtable the 9,517th.
constexpr uint32_t near_types = 12288;

}  // namespace

Result<std::unique_ptr<BtfIndex>> BtfIndex::over(std::span<const std::byte> bytes, const BtfIndex* base) {
  std::unique_ptr<BtfIndex> btf{new BtfIndex};
  DS_TRY_VOID(btf->index(bytes, base));
  return btf;
}

Result<std::unique_ptr<BtfIndex>> BtfIndex::open(const std::string& path, const BtfIndex* base) {
  std::unique_ptr<BtfIndex> btf{new BtfIndex};
  Fd file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!file) return fail(Error::from_errno(errno, "cannot read type information `{}`", path));
  struct stat status{};
  ::fstat(file.get(), &status);
  size_t size = static_cast<size_t>(status.st_size);
  void* address = size == 0 ? MAP_FAILED : ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (address != MAP_FAILED) {
    btf->mapping_ = address;
    btf->mapping_size_ = size;
    DS_TRY_VOID(btf->index({static_cast<const std::byte*>(address), size}, base));
    return btf;
  }
  // Kernels before 6.16 cannot map BTF: ENODEV.
  DS_TRY(btf->copy_, read_all(file, path.c_str()));
  DS_TRY_VOID(btf->index(std::as_bytes(std::span<const char>{btf->copy_}), base));
  return btf;
}

BtfIndex::~BtfIndex() {
  if (mapping_ != nullptr) ::munmap(mapping_, mapping_size_);
}

Result<> BtfIndex::index(std::span<const std::byte> bytes, const BtfIndex* base) {
  BtfHeader header{};
  if (bytes.size() < sizeof header) return fail(Error{"type information (BTF) is too short"});
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.magic != BTF_MAGIC || header.version != BTF_VERSION || header.hdr_len < sizeof header)
    return fail(Error{"type information (BTF) has an unknown format"});
  auto section = [&](uint32_t offset, uint32_t length) -> std::optional<std::span<const std::byte>> {
    uint64_t start = uint64_t{header.hdr_len} + offset;
    if (start + length > bytes.size()) return std::nullopt;
    return bytes.subspan(start, length);
  };
  auto types = section(header.type_off, header.type_len);
  auto strings = section(header.str_off, header.str_len);
  bool is_aligned = (header.hdr_len + header.type_off) % alignof(btf_type) == 0;
  if (!types || !is_aligned || !strings || strings->empty() || strings->back() != std::byte{0})
    return fail(Error{"type information (BTF) is damaged"});
  base_ = base;
  first_id_ = base == nullptr ? 1 : base->end_id();
  first_name_offset_ = base == nullptr ? 0 : base->first_name_offset_ + static_cast<uint32_t>(base->strings_.size());
  strings_ = {reinterpret_cast<const char*>(strings->data()), strings->size()};
  types_ = *types;
  auto first_ones = read_until(first_id_ + near_types);
  near_nameable_ = nameable_.size();
  return first_ones;
}

Result<> BtfIndex::read_until(uint32_t id) const {
  while (read_end() <= id && next_offset_ + sizeof(btf_type) <= types_.size()) {
    const auto& type = *reinterpret_cast<const btf_type*>(types_.data() + next_offset_);
    auto trailing = trailing_size(type);
    if (!trailing || next_offset_ + sizeof type + *trailing > types_.size()) {
      next_offset_ = types_.size();
      return fail(Error{"type information (BTF) has an unknown kind of type"});
    }
    if (nameable_kinds >> btf_kind(type) & 1 && type.name_off != 0) nameable_.push_back(read_end());
    offsets_.push_back(static_cast<uint32_t>(next_offset_));
    next_offset_ += sizeof type + *trailing;
  }
  return {};
}

uint32_t BtfIndex::end_id() const {
  offsets_.reserve(types_.size() / 24);  // types of kernels take 25 bytes on average
  static_cast<void>(read_until(std::numeric_limits<uint32_t>::max()));
  return read_end();
}

const std::vector<uint32_t>& BtfIndex::all_nameable() const {
  static_cast<void>(end_id());
  return nameable_;
}

const btf_type& BtfIndex::type(uint32_t id) const {
  static const btf_type nothing{};
  if (id < first_id_) return base_ == nullptr ? nothing : base_->type(id);
  if (id >= read_end()) static_cast<void>(read_until(id));
  if (id >= read_end()) return nothing;
  return *reinterpret_cast<const btf_type*>(types_.data() + offsets_[id - first_id_]);
}

std::string_view BtfIndex::name(uint32_t name_offset) const {
  if (name_offset < first_name_offset_) return base_->name(name_offset);
  uint32_t at = name_offset - first_name_offset_;
  return at < strings_.size() ? std::string_view{strings_.data() + at} : std::string_view{};
}

bool BtfIndex::has_name(uint32_t id, std::string_view wanted) const {
  uint32_t at = type(id).name_off - first_name_offset_;
  // The name of a module's type may lie in the strings of the base.
  if (at >= strings_.size()) return name_of(id) == wanted;
  std::string_view rest = strings_.substr(at);
  return rest.size() > wanted.size() && rest[0] == wanted[0] && rest[wanted.size()] == '\0' && rest.starts_with(wanted);
}

bool BtfIndex::is_named(uint32_t id, uint32_t kind, std::string_view wanted) const {
  uint32_t found = btf_kind(type(id));
  bool is_kind = found == kind || (kind == BTF_KIND_ENUM && found == BTF_KIND_ENUM64);
  return is_kind && has_name(id, wanted);
}

std::optional<uint32_t> BtfIndex::find(uint32_t kind, std::string_view wanted) const {
  if (wanted.empty()) return std::nullopt;
  if (!slots_.empty()) return find_hashed(kind, wanted);
  auto is_wanted = [&](uint32_t id) { return is_named(id, kind, wanted); };
  auto near_end = nameable_.begin() + static_cast<ptrdiff_t>(near_nameable_);
  auto near = std::find_if(nameable_.begin(), near_end, is_wanted);
  if (near != near_end) return *near;
  if (++lookups_ <= lookups_before_hashing) {
    const std::vector<uint32_t>& all = all_nameable();
    auto found = std::find_if(all.begin(), all.end(), is_wanted);
    return found == all.end() ? std::nullopt : std::optional{*found};
  }
  hash_names();
  return find_hashed(kind, wanted);
}

std::optional<uint32_t> BtfIndex::find_hashed(uint32_t kind, std::string_view wanted) const {
  size_t mask = slots_.size() - 1;
  for (size_t slot = std::hash<std::string_view>{}(wanted)&mask; slots_[slot] != 0; slot = (slot + 1) & mask)
    if (is_named(slots_[slot], kind, wanted)) return slots_[slot];
  return std::nullopt;
}

void BtfIndex::hash_names() const {
  size_t capacity = 16;
  while (capacity < all_nameable().size() * 2) capacity *= 2;
  slots_.assign(capacity, 0);
  for (uint32_t id : nameable_) {
    size_t slot = std::hash<std::string_view>{}(name_of(id)) & (capacity - 1);
    while (slots_[slot] != 0) slot = (slot + 1) & (capacity - 1);
    slots_[slot] = id;
  }
}

std::optional<uint32_t> BtfIndex::find_object(uint32_t kind, std::string_view wanted) const {
  if (wanted.empty()) return std::nullopt;
  for (uint32_t id = first_id_, end = end_id(); id < end; ++id)
    if (btf_kind(type(id)) == kind && has_name(id, wanted)) return id;
  return std::nullopt;
}

std::vector<std::string_view> BtfIndex::names(uint32_t kind) const {
  std::vector<std::string_view> names;
  for (uint32_t id : all_nameable())
    if (btf_kind(type(id)) == kind) names.push_back(name_of(id));
  return names;
}

std::vector<uint32_t> BtfIndex::typedefs_with_prefix(std::string_view prefix) const {
  std::vector<uint32_t> found;
  for (uint32_t id : all_nameable())
    if (btf_kind(type(id)) == BTF_KIND_TYPEDEF && name_of(id).starts_with(prefix)) found.push_back(id);
  return found;
}

std::vector<uint32_t> BtfIndex::functions_with_prefix(std::string_view prefix) const {
  std::vector<uint32_t> found;
  for (uint32_t id = first_id_, end = end_id(); id < end; ++id)
    if (btf_kind(type(id)) == BTF_KIND_FUNC && name_of(id).starts_with(prefix)) found.push_back(id);
  return found;
}

}  // namespace dscope
