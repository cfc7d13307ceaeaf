// CpuValues: the values of one element of an aggregation on the CPUs that have updated it. Most keys are used on few of
// a machine's CPUs: with a value for every CPU, the elements of a large aggregation would not fit in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dscope {

class CpuValues {
 public:
  CpuValues() = default;
  // `value_size`: bytes of the value of a CPU.
  explicit CpuValues(size_t value_size) : value_size_(value_size) {}

  bool empty() const { return slots_.empty(); }
  // Number of CPUs that have a value.
  size_t count() const { return slots_.size() / stride(); }
  // The CPU of value number `index`. CPUs ascend with the index, unless sort() is due.
  uint32_t cpu(size_t index) const;
  std::span<const std::byte> value(size_t index) const { return {slots_.data() + start(index), value_size_}; }
  std::span<std::byte> value(size_t index) { return {slots_.data() + start(index), value_size_}; }

  // The value of the CPU; null if it has none.
  const std::byte* find(uint32_t cpu) const;
  // The value of the CPU. Inserts zeroes if it has none.
  std::byte* at(uint32_t cpu);

  // Adds the value of a CPU, in any order. The caller calls sort() after the last one.
  void append(uint32_t cpu, const std::byte* value);
  // Puts the values in order of their CPUs. Keeps only the last one of a CPU.
  void sort();

  bool operator==(const CpuValues&) const = default;

 private:
  static constexpr size_t number_bytes = 8;  // in front of each value; keeps values aligned

  size_t stride() const { return number_bytes + value_size_; }
  size_t start(size_t index) const { return index * stride() + number_bytes; }
  // The index of the first value whose CPU is not below `cpu`.
  size_t lower_bound(uint32_t cpu) const;
  bool is_sorted() const;

  size_t value_size_ = 0;
  std::vector<std::byte> slots_;  // for each CPU its number, then its value
};

}  // namespace dscope
