// Probes of provider fsinfo for compat=solaris, which never fire. The Linux provider has some of them if kernel
// functions can be traced.

provider fsinfo {
  probe create, remove, rename, mkdir, rmdir, link, symlink, lookup, access, addmap, cmp, delmap, dispose, fid, frlock,
    getpage, getsecattr, inactive, pageio, pathconf, poll, putpage, readlink, realvp, rwlock, rwunlock, setattr, setfl,
    setsecattr, shrlock(struct file * : fileinfo_t *, int result);
};
