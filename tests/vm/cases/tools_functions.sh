# Tools that trace functions of the kernel.
tool() {
  name=$1
  shift
  dscope -s "/tools/$name.d" "$@" 2>&1
}
tool funccount -k vfs_mkdir -c 'mkdir /tmp/a /tmp/b /tmp/c'
tool funccount -k 'vfs_??dir' -c 'mkdir /tmp/d /tmp/e'
tool funclatency -k vfs_rmdir -c 'rmdir /tmp/a /tmp/b /tmp/c' | awk '$1 == "vfs_rmdir" && NF == 6 { print $1, $3, $2 >= 0, $4 <= $5 }'
tool stackcount -k vfs_mkdir -c 'mkdir /tmp/f /tmp/g' | grep -o 'do_syscall_64\|^ *[0-9]*$'
tool argdist -k vfs_read -a 2 -V -c 'dd if=/dev/zero of=/dev/null bs=9 count=5 status=none' | grep ' 9 '
tool argdist -k vfs_read -r -V -c 'dd if=/dev/zero of=/dev/null bs=9 count=5 status=none' | grep ' 9 '
