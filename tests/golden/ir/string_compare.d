/* A short literal is compared by words, without a loop. Other comparisons call the support library. */
string text;
rawtp:sched::sched_switch /execname == "cat"/ { text = execname; }
BEGIN /text < "abc" && text == execname/ { }
/* CHECK: store i64 */
/* CHECK: ptr %execname, align 8 */
/* CHECK: xor i64 */
/* CHECK: 7627107 */
/* CHECK: @ds_str */
