/* The state of a lock is read from its owner or count word. */
BEGIN { trace(mutex_owned((struct mutex *)arg0)); trace(rw_read_held((rwlock_t *)arg0)); trace(mutex_owner((struct mutex *)arg0)); }
/* CHECK: inttoptr (i64 113 to ptr)(ptr %read, i32 8, i64 */
/* CHECK: , -8 */
/* CHECK: inttoptr (i64 35 to ptr)() */
/* CHECK: inttoptr (i64 113 to ptr)(ptr %read, i32 4, i64 */
/* CHECK: lshr i64 */
/* CHECK: , 9 */
