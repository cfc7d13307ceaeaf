/* In a program with many clauses, the clauses of each probe are one function. It needs no scratch slot for this-> scalars. */
syscall::read:entry, syscall::read:entry, syscall::read:entry, syscall::read:entry, syscall::read:entry,
syscall::read:entry, syscall::read:entry, syscall::read:entry { this->x = timestamp; }
syscall::write:entry, syscall::write:entry, syscall::write:entry, syscall::write:entry, syscall::write:entry,
syscall::write:entry, syscall::write:entry, syscall::write:entry { this->y = timestamp; }
syscall::open:entry { @ = count(); }
/* CHECK: call void @ds_list_0_0(ptr %0, ptr null, i64 0, */
/* CHECK: call void @ds_list_8_1(ptr %0, ptr null, i64 1, */
/* CHECK: define internal void @ds_list_0_0( */
/* CHECK: call void @ds_count( */
/* CHECK: define internal void @ds_count(i64 %0) */
/* NEVER: ds_scratch */
