/* golden: string module */
ext4, fs:xfs* /1/ { }
vmlinux
