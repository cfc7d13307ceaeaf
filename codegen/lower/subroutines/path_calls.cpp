#include "codegen/lower/subroutines/path_calls.h"

#include "codegen/lower/lowerers.h"

namespace dscope {

// `of_mount`: 1 for the mount point of the file's mount, 0 for the file itself.
StringValue PathCalls::path(const Expr& expr, const Call& call, uint32_t of_mount) {
  V address = expressions_.scalar(*call.arguments[0]);
  faults_.fault_if(b_.is_zero(address), DS_FAULT_BADADDR, b_.number(0), expr);
  // The object itself must be readable. An unreadable parent only ends the path.
  if (call.arguments.size() == 2) address = make_path(address, expressions_.scalar(*call.arguments[1]));
  else memory_.read_checked({.space = Space::Kernel, .address = address}, 8, false, expr);
  if (layout_table_ == nullptr)
    layout_table_ = b_.constant_layout(compiled_.path_layout.value_or(ds_path_layout{}), "path_layout");
  uint32_t capacity = string_capacity();
  V data = scratch_.temporary(capacity + DS_MAX_NAME_LENGTH + 1);
  V dentries = scratch_.temporary(DS_PATH_STEPS * 8);
  V sizes = b_.ir.CreateOr(string_memory_.sizes(capacity), b_.number(pack_sizes(0, 0, uint64_t{of_mount} * 8, 0)));
  b_.call_support("ds_path", b_.void_type, {data, address, layout_table_, dentries, sizes});
  return {data, capacity, nullptr};
}

// Builds a struct path in scratch memory and returns its address, for ds_path to read like one of the kernel's.
V PathCalls::make_path(V dentry, V mount) {
  V path = scratch_.temporary(16);
  if (!compiled_.path_layout) return b_.to_number(path);
  b_.store(b_.at(path, compiled_.path_layout->path_mount), mount, 8);
  b_.store(b_.at(path, compiled_.path_layout->path_dentry), dentry, 8);
  return b_.to_number(path);
}

SubroutineResult emit_DPath(const SubroutineCall& call) { return call.lower.path_calls.path(call.expr, call.form, 0); }

SubroutineResult emit_DentryPath(const SubroutineCall& call) {
  return call.lower.path_calls.path(call.expr, call.form, 0);
}

SubroutineResult emit_MountPoint(const SubroutineCall& call) {
  return call.lower.path_calls.path(call.expr, call.form, 1);
}

}  // namespace dscope
