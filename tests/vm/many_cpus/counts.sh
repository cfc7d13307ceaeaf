# One thread for each CPU. A thread makes the calls getppid(FIRST) ... getppid(FIRST + 499) on whatever CPUs it runs:
# each of 500 keys is used on many CPUs.
threads=$(grep -c ^processor /proc/cpuinfo)
flood="flood $threads 500 -1"
echo "CPUs $threads"

# Exact sums, and no drops: these would be lines on standard error.
dscope -qn 'syscall::getppid:entry /pid == $target/ { @[arg0 % 500] = count(); @all = count(); @last[arg0 / 500] = max(arg0); }
  END { printa("key %d %@d\n", @); printa("all %@d\n", @all); printa("last %d %@d\n", @last); }' -c "$flood" 2>&1 |
  awk -v threads="$threads" '$1 == "key" { keys++; wrong += $3 != threads; next }
       $1 == "last" { wrong += $3 != 500 * $2 + 499; next }
       NF > 0 { print }
       END { print "keys", keys, "wrong", wrong + 0 }'

# Every row arrives, in the order of its thread.
dscope -qn 'syscall::getppid:entry /pid == $target/ { printf("row %d %d\n", tid, arg0); }' -c "$flood" 2>&1 |
  awk '$1 == "row" { rows++; wrong += ($2 in last) && $3 != last[$2] + 1; last[$2] = $3; next }
       NF > 0 { print }
       END { print "rows", rows, "wrong", wrong + 0 }'

# Each CPU counts its drops: what is not stored is reported.
dscope -x aggsize=4k -qn 'syscall::getppid:entry /pid == $target/ { @[arg0] = count(); }
  END { printa("key %d %@d\n", @); }' -c "$flood" 2>&1 |
  awk '$1 == "key" { sum += $3; next } /aggregation drop/ { sum += $2; has_drops = 1 }
       END { print "stored or reported", sum, "drops", has_drops + 0 }'
