/* Globals are loaded and stored in place. An int remains an int. */
int x;
BEGIN { x = x + 1; }
/* CHECK: load i32, ptr @ds_globals */
/* CHECK: sext i32 */
/* CHECK: add i64 */
/* CHECK: store i32 */
/* CHECK: ptr @ds_globals */
/* NEVER: @ds_ring */
