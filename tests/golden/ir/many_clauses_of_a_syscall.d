/* In a program with a single probe, the clause functions use its row as a constant. */
syscall::read:entry { x = 1; } syscall::read:entry { x = 2; } syscall::read:entry { x = 3; }
syscall::read:entry { x = 4; } syscall::read:entry { x = 5; } syscall::read:entry { x = 6; }
syscall::read:entry { x = 7; } syscall::read:entry { x = 8; } syscall::read:entry { trace(9); }
/* CHECK: define internal void @dt_clause_8( */
/* CHECK: store i32 0, ptr */
