/* The registers of system calls, and the indices of uregs[], are those of the processor. */
syscall::openat:entry { trace(arg0); trace(uregs[R_PC]); trace(uregs[R_SP]); }
/* CHECK: i64 112 */
/* CHECK: i64 128 */
/* CHECK: i64 152 */
/* ARM64: i64 272 */
/* ARM64: i64 256 */
/* ARM64: i64 248 */
/* NEVER-ON-ARM64: i386 */
