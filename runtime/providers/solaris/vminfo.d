// Virtual memory statistics of the Solaris kernel. Nothing on Linux fires them.

provider vminfo {
  probe execpgout, execfree, hat_fault, pgfrec, pgrec, rev, softlock(int increment);
  // Linux has these if kernel functions can be traced.
  probe anonpgin, pgswapin, pgswapout, swapin, swapout(int increment);
};
