# Uncontended locks of pipes and of process memory: acquired and released.
dscope -qn 'int read, written;
  lockstat:::adaptive-acquire /pid == $target/ { taken++; held[arg0] = 1; }
  lockstat:::adaptive-release /pid == $target && held[arg0]/ { released++; held[arg0] = 0; }
  lockstat:::rw-acquire /pid == $target/ { read += args[1] == RW_READER; written += args[1] == RW_WRITER; semaphore[arg0] = 1; }
  lockstat:::rw-release /pid == $target && semaphore[arg0]/ { given++; semaphore[arg0] = 0; }
  END { printf("%d %d %d %d %d\n", taken > 0, released > 0, read > 0, written > 0, given > 0); }' -c 'sh /vm/forks'
