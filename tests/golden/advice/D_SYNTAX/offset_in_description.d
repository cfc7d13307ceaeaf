uprobe:libc.so.6:malloc+16 { }
