// Operations on files (providers.md 16.3). A module in a description is the type of a file system.

provider fsinfo {
  probe close, fsync, getattr, ioctl, map, open, read, readdir, seek, space,
    write(struct file * : fileinfo_t *, int result);
  probe create, link, lookup, mkdir, remove, rename, rmdir, symlink(struct dentry * : fileinfo_t *, int error);
};

// ---- system calls on open files: the registers still hold the file's number when the call returns

fsinfo:::read <- rawtp:::sys_exit [parameters 2..]
/__reads[args[0]->orig_ax] && __is_file[__file_of_call[args[0]]]/
{ __file_of_call[args[0]]; (int)args[1]; }

fsinfo:::write <- rawtp:::sys_exit [parameters 2..]
/__writes[args[0]->orig_ax] && __is_file[__file_of_call[args[0]]]/
{ __file_of_call[args[0]]; (int)args[1]; }

fsinfo:::ioctl <- rawtp:::sys_exit [parameters 2..]
/__controls[args[0]->orig_ax] && __is_file[__file_of_call[args[0]]]/
{ __file_of_call[args[0]]; args[1] < 0 ? (int)-args[1] : 0; }

fsinfo:::fsync <- rawtp:::sys_exit [parameters 2..]
/__syncs[args[0]->orig_ax] && __is_file[__file_of_call[args[0]]]/
{ __file_of_call[args[0]]; args[1] < 0 ? (int)-args[1] : 0; }

fsinfo:::getattr <- rawtp:::sys_exit [parameters 2..]
/__gets_own_attributes[args[0]] && __is_file[__file_of_call[args[0]]]/
{ __file_of_call[args[0]]; args[1] < 0 ? (int)-args[1] : 0; }

fsinfo:::readdir <- rawtp:::sys_exit [parameters 2..]
/__lists[args[0]->orig_ax] && __is_file[__file_of_call[args[0]]]/
{ __file_of_call[args[0]]; args[1] < 0 ? (int)-args[1] : 0; }

fsinfo:::seek <- rawtp:::sys_exit [parameters 2..]
/__seeks[args[0]->orig_ax] && __is_file[__file_of_call[args[0]]]/
{ __file_of_call[args[0]]; args[1] < 0 ? (int)-args[1] : 0; }

fsinfo:::space <- rawtp:::sys_exit [parameters 2..]
/__sets_size[args[0]->orig_ax] && __is_file[__file_of_call[args[0]]]/
{ __file_of_call[args[0]]; args[1] < 0 ? (int)-args[1] : 0; }

fsinfo:::open <- rawtp:::sys_exit [parameters 2..]
/args[1] >= 0 && __opens[args[0]->orig_ax] && __is_file[__file_of[(int)args[1]]]/
{ __file_of[(int)args[1]]; 0; }

// Before the file is closed: afterwards it is gone.
fsinfo:::close <- rawtp:::sys_enter [parameters 2.., order 101]
/args[1] == (__is_32bit ? 6 : 3) && __is_file[__file_of_call[args[0]]]/
{ __file_of_call[args[0]]; 0; }

fsinfo:::map <- rawtp:::sys_enter [parameters 2.., order 101]
/__is_call[args[1], 9] && __is_file[__file_of[(int)args[0]->r8]]/
{ __file_of[(int)args[0]->r8]; 0; }

// ---- operations on names: kernel functions have the dentry when they begin and the result at the end. `d_flags` makes
// sure that the argument is a dentry: parameters have moved between kernels.

prepare fsinfo:::remove, fsinfo:::mkdir, fsinfo:::rmdir, fsinfo:::symlink
  <- fbt::vfs_unlink:entry, fbt::vfs_mkdir:entry, fbt::vfs_rmdir:entry, fbt::vfs_symlink:entry
{ __used_name[curthread] = (uintptr_t)&args[2]->d_flags - offsetof(struct dentry, d_flags); }

// Since Linux 6.19 the second parameter.
prepare fsinfo:::create <- fbt::vfs_create:entry
{
  __used_name[curthread] =
    ((uintptr_t)&args[2]->d_flags ?? (uintptr_t)&args[1]->d_flags) - offsetof(struct dentry, d_flags);
}

prepare fsinfo:::rename <- fbt::vfs_rename:entry
{ __used_name[curthread] = (uintptr_t)args[0]->old_dentry; }

prepare fsinfo:::link <- fbt::vfs_link:entry
{ __used_name[curthread] = (uintptr_t)&args[3]->d_flags - offsetof(struct dentry, d_flags); }

prepare fsinfo:::create, fsinfo:::remove, fsinfo:::rename, fsinfo:::mkdir, fsinfo:::rmdir, fsinfo:::link,
  fsinfo:::symlink
  <- fbt::vfs_create:return, fbt::vfs_unlink:return, fbt::vfs_rename:return, fbt::vfs_mkdir:return,
    fbt::vfs_rmdir:return, fbt::vfs_link:return, fbt::vfs_symlink:return
{ __used_name[curthread] = 0; }

fsinfo:::create <- fbt::vfs_create:return [parameters 4..]
/__is_dentry[(struct dentry *)__used_name[curthread]]/
{ (struct dentry *)__used_name[curthread]; __error_of[(int64_t)args[1]]; }

fsinfo:::remove <- fbt::vfs_unlink:return [parameters 4..]
/__is_dentry[(struct dentry *)__used_name[curthread]]/
{ (struct dentry *)__used_name[curthread]; __error_of[(int64_t)args[1]]; }

fsinfo:::rename <- fbt::vfs_rename:return [parameters 1]
/__is_dentry[(struct dentry *)__used_name[curthread]]/
{ (struct dentry *)__used_name[curthread]; __error_of[(int64_t)args[1]]; }

fsinfo:::mkdir <- fbt::vfs_mkdir:return [parameters 4..]
/__is_dentry[(struct dentry *)__used_name[curthread]]/
{ (struct dentry *)__used_name[curthread]; __error_of[(int64_t)args[1]]; }

fsinfo:::rmdir <- fbt::vfs_rmdir:return [parameters 3..]
/__is_dentry[(struct dentry *)__used_name[curthread]]/
{ (struct dentry *)__used_name[curthread]; __error_of[(int64_t)args[1]]; }

fsinfo:::link <- fbt::vfs_link:return [parameters 5..]
/__is_dentry[(struct dentry *)__used_name[curthread]]/
{ (struct dentry *)__used_name[curthread]; __error_of[(int64_t)args[1]]; }

fsinfo:::symlink <- fbt::vfs_symlink:return [parameters 4..]
/__is_dentry[(struct dentry *)__used_name[curthread]]/
{ (struct dentry *)__used_name[curthread]; __error_of[(int64_t)args[1]]; }

fsinfo:::lookup <- fbt::__lookup_slow:return [parameters 3]
/__error_of[(int64_t)args[1]] == 0 && __is_dentry[args[1]]/
{ args[1]; 0; }
