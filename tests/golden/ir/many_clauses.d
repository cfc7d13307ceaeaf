/* Beyond eight clauses each is a function, so that their stacks do not add up. */
BEGIN { x = 1; } BEGIN { x = 2; } BEGIN { x = 3; } BEGIN { x = 4; } BEGIN { x = 5; } BEGIN { x = 6; } BEGIN { x = 7; }
BEGIN { x = 8; } BEGIN { x = 9; }
/* CHECK: call void @dt_clause_0(ptr %0, ptr */
/* CHECK: call void @dt_clause_8(ptr %0, ptr */
/* CHECK: define internal void @dt_clause_0( */
