// BtfIndex: random access to one BTF blob (the kernel's, or a module's that continues it): where type N is and which
// type has a name. Made for programs that ask for few names: the blob is mapped, not copied, and read as far as it is
// asked for (all of it in 0.6 ms for 126,000 types): what programs mostly name, task_struct and what it leads to, is at
// its beginning. Names are hashed only after a few lookups of what is not there.
#pragma once

#include <linux/btf.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace dscope {

// Fields packed into btf_type::info.
inline uint32_t btf_kind(const btf_type& type) { return type.info >> 24 & 0x1f; }
inline uint32_t btf_length(const btf_type& type) { return type.info & 0xffff; }
inline bool btf_flag(const btf_type& type) { return type.info >> 31 != 0; }

class BtfIndex {
 public:
  // `base`: the kernel's index if the file is a module's split BTF; must outlive this one. An error if its beginning is
  // damaged; a kind of type that is not known further on is where it is taken to end.
  static Result<std::unique_ptr<BtfIndex>> open(const std::string& path, const BtfIndex* base = nullptr);
  // `bytes` must outlive the index.
  static Result<std::unique_ptr<BtfIndex>> over(std::span<const std::byte> bytes, const BtfIndex* base = nullptr);
  ~BtfIndex();
  BtfIndex(const BtfIndex&) = delete;
  BtfIndex& operator=(const BtfIndex&) = delete;

  // Type ids of this blob proper are [first_id, end_id); lower ones are the base's. Id 0 is void.
  uint32_t first_id() const { return first_id_; }
  uint32_t end_id() const;  // reads all of it
  // The type itself and what follows it (members, parameters...), of the base too. Void, which has no record, and ids
  // out of range (a damaged blob) give a record of kind BTF_KIND_UNKN.
  const btf_type& type(uint32_t id) const;
  template <typename T>
  std::span<const T> trailing(uint32_t id) const {
    const btf_type& record = type(id);
    return {reinterpret_cast<const T*>(&record + 1), btf_length(record)};
  }
  std::string_view name(uint32_t name_offset) const;
  std::string_view name_of(uint32_t id) const { return name(type(id).name_off); }

  // First type of that kind and name in this blob (not in its base). Kinds that C's name spaces hold: BTF_KIND_STRUCT,
  // UNION, ENUM (finds ENUM64 as well), TYPEDEF.
  std::optional<uint32_t> find(uint32_t kind, std::string_view name) const;
  // First BTF_KIND_FUNC or BTF_KIND_VAR of that name; a scan of all types.
  std::optional<uint32_t> find_object(uint32_t kind, std::string_view name) const;
  // Of all types of a kind that find() can give.
  std::vector<std::string_view> names(uint32_t kind) const;
  // Typedefs whose names begin with `prefix`, by id.
  std::vector<uint32_t> typedefs_with_prefix(std::string_view prefix) const;

 private:
  BtfIndex() = default;
  Result<> index(std::span<const std::byte> bytes, const BtfIndex* base);
  uint32_t read_end() const { return first_id_ + static_cast<uint32_t>(offsets_.size()); }
  Result<> read_until(uint32_t id) const;  // reads on, if need be, until type `id` has been read
  const std::vector<uint32_t>& all_nameable() const;
  bool has_name(uint32_t id, std::string_view wanted) const;
  bool is_named(uint32_t id, uint32_t kind, std::string_view wanted) const;
  void hash_names() const;

  const BtfIndex* base_ = nullptr;
  std::span<const std::byte> types_;
  std::string_view strings_;
  uint32_t first_id_ = 1, first_name_offset_ = 0;
  // Of what has been read so far.
  mutable std::vector<uint32_t> offsets_;   // of type first_id_ + i, from the start of types_
  mutable std::vector<uint32_t> nameable_;  // ids that find() can give
  mutable size_t next_offset_ = 0;          // of what is read next
  mutable size_t near_nameable_ = 0;        // how many of nameable_ are at the beginning
  // Open addressing, a power of two; 0 is free. Entries of equal name stay in order of id.
  mutable std::vector<uint32_t> slots_;
  mutable uint32_t lookups_ = 0;

  void* mapping_ = nullptr;  // what the destructor unmaps
  size_t mapping_size_ = 0;
  std::string copy_;  // instead of a mapping, where the kernel cannot map BTF
};

}  // namespace dscope
