// BpfMap: a map of the plan, created in the kernel, with its element 0 mapped into memory if the plan asks for it. The
// loader creates maps, the session owns them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "contract/program_plan.h"
#include "support/fd.h"
#include "support/result.h"

namespace dscope {

// Owns a memory mapping.
class MappedMemory {
 public:
  MappedMemory() = default;
  MappedMemory(std::byte* address, size_t size) : address_(address), size_(size) {}
  MappedMemory(MappedMemory&& other) noexcept
      : address_(std::exchange(other.address_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  MappedMemory& operator=(MappedMemory&& other) noexcept {
    std::swap(address_, other.address_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~MappedMemory();

  // Maps `size` bytes of `fd`, shared; `protection` and `offset` as in mmap(2).
  static Result<MappedMemory> create(int fd, size_t size, int protection, uint64_t offset);
  explicit operator bool() const { return address_ != nullptr; }
  std::byte* data() const { return address_; }
  size_t size() const { return size_; }

 private:
  std::byte* address_ = nullptr;
  size_t size_ = 0;
};

class BpfMap {
 public:
  static Result<BpfMap> create(const MapPlan& plan);
  // A map that exists. Error if it differs from the plan.
  static Result<BpfMap> open(const MapPlan& plan, Fd fd);
  // Creates an array map of one element with `content`, zero-padded to `size` bytes, for a data section of the object.
  // Programs may write it only if `is_writable`.
  static Result<BpfMap> create_data(std::string_view name, std::span<const std::byte> content, uint64_t size,
                                    bool is_writable);

  int fd() const { return fd_.get(); }
  const std::string& name() const { return name_; }
  MapKind kind() const { return kind_; }
  bool is_direct() const { return is_direct_; }
  uint32_t key_size() const { return key_size_; }
  uint32_t value_size() const { return value_size_; }
  // For ring buffers: the size of each in bytes, rounded as the kernel requires.
  uint32_t max_entries() const { return max_entries_; }
  // The ring buffers of a RingTable; empty for others.
  const std::vector<BpfMap>& rings() const { return rings_; }
  // Element 0 of mmapable maps; empty for others.
  std::span<std::byte> memory() const { return {memory_.data(), memory_ ? value_size_ : 0}; }

 private:
  static Result<BpfMap> create_rings(const MapPlan& plan);
  static Result<BpfMap> describe(const MapPlan& plan, Fd fd);

  Fd fd_;
  std::string name_;
  MapKind kind_{};
  bool is_direct_ = false;
  uint32_t key_size_ = 0, value_size_ = 0, max_entries_ = 0;
  MappedMemory memory_;
  std::vector<BpfMap> rings_;
};

using MapSet = std::unordered_map<std::string, BpfMap>;

// Number of CPUs that per-CPU maps hold values for; each value is padded to a multiple of 8 bytes.
Result<uint32_t> possible_cpu_count();

}  // namespace dscope
