/* ++, --, += and the like are atomic on globals and elements. Elements are inserted only if another CPU has not (last
   argument 1). Other operators, and variables of one thread, are loaded and stored. */
int n;
short s;
BEGIN { n++; s -= 3; n ^= pid; a[pid]--; n *= 2; self->t++; }
/* CHECK: atomicrmw add ptr @ds_globals, i32 1 monotonic */
/* CHECK: atomicrmw add ptr */
/* CHECK: i32 -3 monotonic */
/* CHECK: atomicrmw xor ptr @ds_globals, i32 */
/* CHECK: inttoptr (i64 1 to ptr)(ptr @ds_array_ */
/* CHECK: label %absent, label %present */
/* CHECK: inttoptr (i64 2 to ptr)(ptr @ds_array_ */
/* CHECK: ptr %fresh, i64 1) */
/* CHECK: atomicrmw add ptr */
/* CHECK: i64 -1 monotonic */
/* CHECK: mul i64 */
/* CHECK: store i32 */
/* CHECK: inttoptr (i64 156 to ptr)(ptr @ds_task */
/* CHECK: label %dropped */
/* CHECK: inttoptr (i64 3 to ptr)(ptr @ds_array_ */
/* CHECK: add i64 */
/* CHECK: store i64 */
