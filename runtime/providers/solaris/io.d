// Probes of provider io for compat=solaris: those of module nfs, which nothing on Linux fires.

provider io {
  probe start, done, wait-start,
    wait-done(struct __block_io * : bufinfo_t *, struct __block_io * : devinfo_t *, struct __block_io * : fileinfo_t *);
};
