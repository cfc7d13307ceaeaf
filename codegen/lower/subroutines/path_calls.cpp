// Paths of the kernel's objects: d_path() and what the D libraries make of it.
#include "codegen/lower/emitter.h"

namespace dscope {

namespace {

// DS_LONGEST_NAME and DS_PATH_STEPS of codegen/bpf/support.h.
constexpr uint32_t longest_name = 255, path_steps = 64;

}  // namespace

// `of_mount`: 1 for where the file's mount is in the tree, 0 for the file itself.
StringValue Emitter::path(const Expr& expr, const Call& call, uint32_t of_mount) {
  V address = scalar(*call.arguments[0]);
  fault_if(b_.is_zero(address), DS_FAULT_BADADDR, b_.number(0), expr);
  // What cannot be read further up ends the path; the object itself must be there.
  if (call.arguments.size() == 2) address = made_path(address, scalar(*call.arguments[1]));
  else read_checked({.space = Space::Kernel, .address = address}, 8, false, expr);
  V& layout = literals_["path layout"];
  if (layout == nullptr) layout = b_.constant_words32(compiled_.path_members, "path_layout");
  uint32_t capacity = string_capacity();
  V data = temporary(capacity + longest_name + 1);
  V dentries = temporary(path_steps * 8);
  V sizes = b_.ir.CreateOr(string_sizes(capacity), b_.number(pack_sizes(0, 0, uint64_t{of_mount} * 8, 0)));
  b_.call_support("ds_path", b_.void_type, {data, address, layout, dentries, sizes});
  return {data, capacity, nullptr};
}

// A struct path of our own: where it lies is an address like any other.
V Emitter::made_path(V dentry, V mount) {
  V made = temporary(16);
  if (compiled_.path_members.size() < 2) return b_.to_number(made);
  b_.store(b_.at(made, compiled_.path_members[0]), mount, 8);
  b_.store(b_.at(made, compiled_.path_members[1]), dentry, 8);
  return b_.to_number(made);
}

}  // namespace dscope
