/* Under a trampoline, the function's own frame may be anywhere behind the tracer's. Since Linux 6.19 it is gone when the
   function returns: then the frame before the caller's stands for it. */
/* CHECK: i64 6, i64 2 */
fbt::vfs_read:entry { trace(caller); }
/* CHECK: i64 6, i64 1 */
fbt::vfs_read:return { trace(caller); }
