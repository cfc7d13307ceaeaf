// Probes of provider lockstat for compat=solaris, which nothing fires. Linux has all but the first two if kernel
// functions can be traced.

provider lockstat {
  probe thread-spin, rw-upgrade, adaptive-acquire, adaptive-release, spin-acquire, spin-release, rw-acquire, rw-release,
    rw-downgrade();
};
