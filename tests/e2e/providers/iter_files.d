/* Open files and mappings of a process.
 @@command: %T/calls write 1 */
#pragma D option quiet

int named, numbers;

iter::task_file: /pid == $target && args[1] < 3/ { files++; named += args[2]->f_path.dentry != NULL; numbers += arg1; }
iter::task_vma: /pid == $target && args[1]->vm_file != NULL/ {
  @[basename(d_path(&args[1]->vm_file->f_path)) == "calls" ? "calls" : "others"] = sum(args[1]->vm_end > args[1]->vm_start);
}
END { printf("%d %d %d\n", files, named, numbers); printa("%s\n", @); }
