/* An ERROR clause that needs the scratch slot uses the slot of the faulting program. */
int x;
BEGIN { trace(1 / x); }
ERROR { this->text = execname; }
/* CHECK: call void @ds_error_0(ptr %0, ptr %slot */
/* CHECK: define internal void @ds_error_0(ptr %0, ptr %1, i64 %2, i64 %3, i64 %4) */
