// File paths from the kernel's dentries and mounts. climb_step collects the dentries from the file up to the root, then
// descend_step writes their names from the root down.
#include "string_words.h"

struct climb {
  u64 dentry;
  u64 mount;  // struct vfsmount *
  const ds_path_layout* layout;
  u64* dentries;  // one per step; 0: the step went from a mount to its mount point
  u64 reached;    // DS_REACHED_ROOT, DS_DETACHED, or 0
};

#define DS_REACHED_ROOT 1
#define DS_DETACHED 2  // an object outside the directory tree: a pipe, a socket, a memfd

struct descent {
  char* path;
  u64 at;          // characters written
  u64 max_length;  // the limit of `at`
  const ds_path_layout* layout;
  const u64* dentries;
  u64 is_detached;
};

static long climb_step(u64 index, void* state) {
  struct climb* climb = state;
  const ds_path_layout* layout = climb->layout;
  u64 dentry = climb->dentry;
  if (dentry == ds_read_word(climb->mount + layout->mount_root)) {
    u64 mount = climb->mount - layout->mount;
    u64 outer = ds_read_word(mount + layout->mount_parent);
    if (outer == mount || outer == 0) {
      climb->reached = DS_REACHED_ROOT;
      return 1;
    }
    climb->dentry = ds_read_word(mount + layout->mount_point);
    climb->mount = outer + layout->mount;
    return 0;
  }
  if (!ds_within(&index, DS_PATH_STEPS - 1)) return 1;
  climb->dentries[index] = dentry;
  climb->dentry = ds_read_word(dentry + layout->parent);
  if (climb->dentry != dentry && climb->dentry != 0) return 0;
  climb->reached = DS_DETACHED;
  // The mount shows only a part of the file system: the path is the one within the file system.
  if (index != 0) {
    climb->dentries[index] = 0;
    climb->reached = DS_REACHED_ROOT;
  }
  return 1;
}

static long descend_step(u64 index, void* state) {
  struct descent* descent = state;
  u64 step = DS_PATH_STEPS - 1 - index;
  if (!ds_within(&step, DS_PATH_STEPS - 1)) return 1;
  u64 dentry = descent->dentries[step];
  if (dentry == 0) return 0;
  u64 at = descent->at;
  if (descent->is_detached == 0) {
    if (!ds_within(&at, descent->max_length - 1)) return 1;
    descent->path[at] = '/';
    ++at;
  }
  descent->is_detached = 0;
  u64 length = ds_read_word(dentry + descent->layout->length) & 0xffffffff;
  length = ds_at_most(length, descent->max_length - ds_at_most(at, descent->max_length));
  length = ds_at_most(length, DS_MAX_NAME_LENGTH);
  if (!ds_within(&at, descent->max_length)) return 1;
  bpf_probe_read_kernel(descent->path + at, (unsigned)length,
                        (const void*)ds_read_word(dentry + descent->layout->name));
  descent->at = at + length;
  return 0;
}

void ds_path(char* destination, u64 path, const ds_path_layout* layout, u64* dentries, u64 sizes) {
  clear_words(destination, 0, destination_capacity(sizes));
  clear_words((char*)dentries, 0, DS_PATH_STEPS * DS_WORD);
  if (layout->mount_point == 0) {
    copy_words(destination, "<unknown>\0\0\0\0\0\0", 16);
    truncate_string(destination, sizes);
    return;
  }
  struct climb climb = {.dentry = ds_read_word(path + layout->path_dentry),
                        .mount = ds_read_word(path + layout->path_mount),
                        .layout = layout,
                        .dentries = dentries};
  if (first_capacity(sizes) != 0) climb.dentry = ds_read_word(climb.mount + layout->mount_root);
  bpf_loop(DS_PATH_STEPS, climb_step, &climb, 0);
  struct descent descent = {.path = destination,
                            .max_length = max_characters(sizes),
                            .layout = layout,
                            .dentries = dentries,
                            .is_detached = climb.reached == DS_DETACHED};
  bpf_loop(DS_PATH_STEPS, descend_step, &descent, 0);
  if (descent.at == 0 && climb.reached == DS_REACHED_ROOT && descent.max_length > 0) destination[0] = '/';
}
