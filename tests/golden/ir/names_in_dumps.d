/* Values in dumps have the names of what they come from. */
/* DUMP: define i32 @prog_0(ptr %context) */
/* DUMP: %execname = alloca */
/* DUMP: %state = load volatile i32, ptr @ds_state */
/* DUMP: %pid_tgid = call i64 @bpf_get_current_pid_tgid() */
/* DUMP: %pid_tgid_2 = lshr i64 %pid_tgid, 32 */
/* DUMP: %pid_2 = trunc i64 %pid to i32 */
/* DUMP: store i32 %pid_2, ptr %key */
/* DUMP: %cpu = call i64 @bpf_get_smp_processor_id() */
/* DUMP: %agg_0.element = call ptr @bpf_map_lookup_elem(ptr @ds_agg_0, ptr %key) */
/* DUMP: %thread = call ptr @bpf_get_current_task_btf() */
/* DUMP: %task.element = call ptr @bpf_task_storage_get(ptr @ds_task, ptr %thread */
syscall::read:entry /execname == "cat"/ { @[pid, execname] = count(); self->start = timestamp; }
