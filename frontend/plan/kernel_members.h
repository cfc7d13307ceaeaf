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

  // `path`: dotted, "d_name.len"; of several separated by `|`, the first that the kernel has. Nothing if it has none.
  std::optional<uint64_t> offset_of(std::string_view type, std::string_view path) const;
  // Each step of a path from struct task_struct, as far as the kernel has it.
  std::vector<TaskMember> task_members(std::string_view path) const;

  ds_path_layout path_layout() const;
  ds_route_layout route_layout() const;
  // Nothing if the kernel lacks a member, or the host cannot reach physical memory.
  std::optional<ds_memory_layout> memory_layout() const;

 private:
  // Whether the kernel has the member; else `word` stays as it is.
  template <typename Word>
  bool put(std::string_view type, std::string_view path, Word& word) const;

  Host& host_;
  TypeTable& types_;
};

}  // namespace dscope
