/* this-> scalars are stack slots, which optimization promotes to registers. */
BEGIN { this->x = 4; } BEGIN { trace(this->x); }
/* CHECK: entry: */
/* CHECK: %this = alloca */
/* CHECK: store i64 4, ptr %this */
/* CHECK: load i64, ptr %this */
/* NEVER: @ds_scratch */
