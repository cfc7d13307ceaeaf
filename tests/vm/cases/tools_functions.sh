# Tools that trace functions of the kernel. Without the empty lines around tables.
tool() {
  name=$1
  shift
  dscope -s "/tools/$name.d" "$@" 2>&1 | sed '/^$/d'
}
tool funccount -k vfs_mkdir -c 'mkdir /tmp/a /tmp/b /tmp/c'
tool funccount -k 'vfs_??dir' -c 'mkdir /tmp/d /tmp/e'
tool funclatency -k vfs_rmdir -c 'rmdir /tmp/a /tmp/b /tmp/c' | awk '$1 == "vfs_rmdir" && NF == 6 { print $1, $3, ($4 <= $5) }'
# The sum over all user stacks.
tool stackcount -k vfs_mkdir -c 'mkdir /tmp/f /tmp/g' | awk '/do_syscall_64/ { kernel = 1 } /^ *[0-9]+$/ { calls += $1 } END { print kernel, calls }'
tool argdist -k vfs_read -a 2 -V -c 'dd if=/dev/zero of=/dev/null bs=9 count=5 status=none' | grep ' 9 '
tool argdist -k vfs_read -r -V -c 'dd if=/dev/zero of=/dev/null bs=9 count=5 status=none' | grep ' 9 '
