/* The test for user mode looks at the processor's own register. */
profile-97 { trace(arg0); }
/* CHECK: i64 136 */
/* CHECK: , 3 */
/* ARM64: i64 264 */
/* ARM64: , 15 */
