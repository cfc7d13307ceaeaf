#include "frontend/plan/kernel_members.h"

#include <algorithm>

#include "support/text/word_list.h"

namespace dscope {

std::optional<uint64_t> KernelMembers::offset_of(std::string_view type, std::string_view paths) const {
  while (!paths.empty()) {
    std::string_view path = split_front(paths, "|");
    std::optional<TypeId> at = host_.find_type(types_, "", type);
    uint64_t offset = 0;
    while (at && !path.empty()) {
      auto member = find_member(host_, types_, *at, split_front(path, "."));
      at = member ? std::optional(member->type) : std::nullopt;
      if (member) offset += member->bit_offset / 8;
    }
    if (at) return offset;
  }
  return std::nullopt;
}

std::vector<TaskMember> KernelMembers::task_members(std::string_view path) const {
  std::vector<TaskMember> members;
  std::optional<TypeId> at = host_.find_type(types_, "", "struct task_struct");
  std::string so_far;
  while (at && !path.empty()) {
    std::string_view name = split_front(path, ".");
    auto member = find_member(host_, types_, *at, name);
    if (!member) break;
    if (!so_far.empty()) so_far += '.';
    so_far += name;
    bool is_pointer = types_.is_pointer(member->type);
    bool is_object = types_.is_struct_or_union(member->type);
    uint64_t size = is_object ? 0 : is_pointer ? 8 : types_.size_of(member->type);
    members.push_back({.path = so_far,
                       .offset = member->bit_offset / 8,
                       .size = static_cast<uint32_t>(size),
                       .is_pointer = is_pointer});
    at = is_pointer ? types_.resolved(member->type).base : member->type;
  }
  return members;
}

template <typename Word>
bool KernelMembers::read_offset(std::string_view type, std::string_view path, Word& word) const {
  auto offset = offset_of(type, path);
  if (offset) word = static_cast<Word>(*offset);
  return offset.has_value();
}

ds_path_layout KernelMembers::path_layout() const {
  ds_path_layout layout{};
  bool is_complete = true;
#define DS_PATH_MEMBER(field, type, path) is_complete &= read_offset(type, path, layout.field);
#include "contract/kernel_layouts.def"
  return is_complete ? layout : ds_path_layout{};
}

ds_route_layout KernelMembers::route_layout() const {
  ds_route_layout layout{};
  bool is_complete = true;
#define DS_ROUTE_MEMBER(field, type, path) is_complete &= read_offset(type, path, layout.field);
#include "contract/kernel_layouts.def"
  // Routing tables are in a hash of 256 lists, and the local table has number 255. Kernels without routing rules have
  // only two lists.
  layout.local_tables = offset_of("struct net", "ipv4.rules_ops") ? 255 * 8 : 8;
  return is_complete ? layout : ds_route_layout{};
}

std::optional<ds_memory_layout> KernelMembers::memory_layout() const {
  ds_memory_layout layout{};
  bool is_complete = true;
#define DS_MEMORY_MEMBER(field, type, path) is_complete &= read_offset(type, path, layout.field);
#include "contract/kernel_layouts.def"
#include "contract/types/member.h"
  MemoryOffsets offsets;
  is_complete &= read_offset("struct task_struct", "files", offsets.task_files) &&
                 read_offset("struct files_struct", "fdt", offsets.files_table) &&
                 read_offset("struct fdtable", "fd", offsets.table_files);
  auto page = host_.find_type(types_, "", "struct page");
  if (!page || !is_complete) return std::nullopt;
  if (!types_.resolved(*page).is_complete) host_.complete_type(types_, types_.resolve(*page));
  layout.page_bytes = types_.size_of(*page);
  offsets.task_memory = static_cast<uint32_t>(layout.task_memory);
  offsets.mm_tables = static_cast<uint32_t>(layout.mm_tables);
  offsets.file_mapping = static_cast<uint32_t>(layout.file_mapping);
  offsets.mapping_pages = static_cast<uint32_t>(layout.mapping_pages);
  offsets.page_bytes = static_cast<uint32_t>(layout.page_bytes);
  auto memory = layout.page_bytes == 0 ? std::nullopt : host_.physical_memory(offsets);
  if (!memory) return std::nullopt;
  layout.direct_map = memory->direct_map;
  layout.page_structs = memory->page_structs;
  layout.frame_mask = memory->frame_mask;
  layout.top_shift = memory->top_shift;
  return layout;
}

}  // namespace dscope
