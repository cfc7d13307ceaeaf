// Offsets of members of kernel types on the running kernel, from its BTF (private to plan_builder).
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "contract/host.h"
#include "frontend/plan/plan_builder.h"

namespace dscope {

class KernelMembers {
 public:
  KernelMembers(Host& host, TypeTable& types) : host_(host), types_(types) {}

  // `path`: a dotted path such as "d_name.len", or alternatives separated by `|`. Returns the offset of the first
  // alternative that the kernel has; nullopt if it has none.
  std::optional<uint64_t> offset_of(std::string_view type, std::string_view path) const;
  // Returns each step of a path from struct task_struct, up to the first member that the kernel lacks.
  std::vector<TaskMember> task_members(std::string_view path) const;

  ds_path_layout path_layout() const;
  ds_route_layout route_layout() const;
  // Returns nullopt if the kernel lacks a member, or if the host cannot read physical memory.
  std::optional<ds_memory_layout> memory_layout() const;

 private:
  // Stores the member's offset in `word`. Returns false and leaves `word` unchanged if the kernel lacks the member.
  template <typename Word>
  bool read_offset(std::string_view type, std::string_view path, Word& word) const;

  Host& host_;
  TypeTable& types_;
};

}  // namespace dscope
