/* Argument words of a function are read by number, so that one program serves all functions. */
/* CHECK: call i64 inttoptr (i64 183 to ptr)(ptr %0, i32 2, ptr %word) */
fbt::vfs_read:entry { trace(arg2); }
/* CHECK: call i64 inttoptr (i64 184 to ptr)(ptr %0, ptr %word) */
fbt::vfs_read:return { trace(args[1]); }
