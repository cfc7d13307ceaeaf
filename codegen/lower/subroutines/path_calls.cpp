// Paths of kernel objects: d_path() and the internal subroutines of the D libraries that build on it.
#include <climits>

#include "codegen/lower/lowerers.h"

namespace dscope {

namespace {

static_assert(DS_MAX_NAME_LENGTH == NAME_MAX);
enum class PathOf : uint8_t { File, MountPoint };

// Builds a struct path in scratch memory and returns its address, for ds_path to read like one of the kernel's.
V make_path(const SubroutineCall& call, V dentry, V mount) {
  BpfBuilder& b = call.builder();
  const std::optional<ds_path_layout>& layout = call.lower.core.compiled.path_layout;
  V path = call.lower.scratch.temporary(16);
  if (!layout) return b.to_number(path);
  auto member = [&](const ds_u32& offset) { return b.at(path, call.lower.core.machine_number(offset, &offset)); };
  b.store(member(layout->path_mount), mount, 8);
  b.store(member(layout->path_dentry), dentry, 8);
  return b.to_number(path);
}

StringValue path(const SubroutineCall& call, PathOf of) {
  BpfBuilder& b = call.builder();
  V address = call.scalar(0);
  call.lower.faults.fault_if(b.is_zero(address), DS_FAULT_BADADDR, b.number(0), call.expr);
  // The object itself must be readable. An unreadable parent only ends the path.
  if (call.argument_count() == 2) address = make_path(call, address, call.scalar(1));
  else call.lower.memory.read_checked({.space = Space::Kernel, .address = address}, 8, false, call.expr);
  V layout = call.lower.core.machine_table({.kind = MachineTable::PathLayout}, "path_layout");
  uint32_t capacity = call.string_capacity();
  V data = call.lower.scratch.temporary(capacity + DS_MAX_NAME_LENGTH + 1);
  V dentries = call.lower.scratch.temporary(DS_PATH_STEPS * 8);
  uint64_t mount_offset = of == PathOf::MountPoint ? 8 : 0;
  V sizes = b.ir.CreateOr(call.lower.string_memory.sizes(capacity), b.number(pack_sizes(0, 0, mount_offset, 0)));
  b.call_support("ds_path", b.void_type, {data, address, layout, dentries, sizes});
  return {data, capacity, nullptr};
}

}  // namespace

SubroutineResult emit_DPath(const SubroutineCall& call) { return path(call, PathOf::File); }
SubroutineResult emit_DentryPath(const SubroutineCall& call) { return path(call, PathOf::File); }
SubroutineResult emit_MountPoint(const SubroutineCall& call) { return path(call, PathOf::MountPoint); }

}  // namespace dscope
