// BtfIndex: random access to one BTF blob, the kernel's or a module's split BTF, by type id and by name. Optimized for
// few lookups: the blob is mapped rather than copied and is parsed only as far as needed (0.6 ms for all 126,000
// types), because the types that scripts mostly name, task_struct and its members, come first. Names are hashed only
// after several lookups that the first types did not satisfy.
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

// The fields of btf_type::info: kind, number of trailing records, kind_flag.
inline uint32_t btf_kind(const btf_type& type) { return type.info >> 24 & 0x1f; }
inline uint32_t btf_length(const btf_type& type) { return type.info & 0xffff; }
inline bool btf_flag(const btf_type& type) { return type.info >> 31 != 0; }
inline bool is_btf_qualifier(uint32_t kind) {
  return kind == BTF_KIND_CONST || kind == BTF_KIND_VOLATILE || kind == BTF_KIND_RESTRICT ||
         kind == BTF_KIND_TYPE_TAG || kind == BTF_KIND_DECL_TAG;
}

class BtfIndex {
 public:
  // `base`: for a module's split BTF, the kernel's index, which must outlive this one. Fails if the header or the first
  // 12,288 types are damaged or of unknown kind; further on, an unknown kind ends the blob.
  static Result<std::unique_ptr<BtfIndex>> open(const std::string& path, const BtfIndex* base = nullptr);
  // Opens a blob in memory, which must outlive the index.
  static Result<std::unique_ptr<BtfIndex>> over(std::span<const std::byte> bytes, const BtfIndex* base = nullptr);
  ~BtfIndex();
  BtfIndex(const BtfIndex&) = delete;
  BtfIndex& operator=(const BtfIndex&) = delete;

  // The ids of this blob are [first_id, end_id); lower ids belong to the base. Id 0 is void.
  uint32_t first_id() const { return first_id_; }
  uint32_t end_id() const;  // parses the whole blob
  // The record of a type of this blob or its base. Id 0 and ids out of range (a damaged blob) return a record of kind
  // BTF_KIND_UNKN.
  const btf_type& type(uint32_t id) const;
  // The records after a type: its members, parameters, enumerators.
  template <typename T>
  std::span<const T> trailing(uint32_t id) const {
    const btf_type& record = type(id);
    return {reinterpret_cast<const T*>(&record + 1), btf_length(record)};
  }
  std::string_view name(uint32_t name_offset) const;
  std::string_view name_of(uint32_t id) const { return name(type(id).name_off); }

  // The first type of that kind and name in this blob, without its base. `kind`: BTF_KIND_STRUCT, UNION, ENUM (which
  // matches ENUM64, too) or TYPEDEF.
  std::optional<uint32_t> find(uint32_t kind, std::string_view name) const;
  // The first object of that kind, BTF_KIND_FUNC or BTF_KIND_VAR, and name. A linear search.
  std::optional<uint32_t> find_object(uint32_t kind, std::string_view name) const;
  // The names of all types of a kind that find() accepts.
  std::vector<std::string_view> names(uint32_t kind) const;
  // The ids of typedefs whose names begin with `prefix`, ascending.
  std::vector<uint32_t> typedefs_with_prefix(std::string_view prefix) const;
  // The ids of functions whose names begin with `prefix`, ascending. A linear search.
  std::vector<uint32_t> functions_with_prefix(std::string_view prefix) const;

 private:
  BtfIndex() = default;
  Result<> index(std::span<const std::byte> bytes, const BtfIndex* base);
  uint32_t read_end() const { return first_id_ + static_cast<uint32_t>(offsets_.size()); }
  Result<> read_until(uint32_t id) const;  // parses on, if need be, until type `id` is indexed
  const std::vector<uint32_t>& all_nameable() const;
  bool has_name(uint32_t id, std::string_view wanted) const;
  bool is_named(uint32_t id, uint32_t kind, std::string_view wanted) const;
  void hash_names() const;
  std::optional<uint32_t> find_hashed(uint32_t kind, std::string_view wanted) const;

  const BtfIndex* base_ = nullptr;
  std::span<const std::byte> types_;
  std::string_view strings_;
  uint32_t first_id_ = 1, first_name_offset_ = 0;
  // The part of the blob that has been parsed.
  mutable std::vector<uint32_t> offsets_;   // of type first_id_ + i, from the start of types_
  mutable std::vector<uint32_t> nameable_;  // ids that find() can return
  mutable size_t next_offset_ = 0;          // of the type that is parsed next
  mutable size_t near_nameable_ = 0;        // the number of nameable_ among the first types
  // Hash table of ids with open addressing; its size is a power of two, 0 is a free slot. Ids of equal name stay in
  // ascending order.
  mutable std::vector<uint32_t> slots_;
  mutable uint32_t lookups_ = 0;

  void* mapping_ = nullptr;  // owned
  size_t mapping_size_ = 0;
  std::string copy_;  // used instead of a mapping on kernels that cannot map BTF
};

}  // namespace dscope
