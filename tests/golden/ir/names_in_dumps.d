/* Values in dumps have the names of what they come from. */
/* DUMP: define i32 @prog_0(ptr %context) */
/* DUMP: %execname = alloca */
/* DUMP: %state = load volatile i32, ptr @ds_state */
/* DUMP: %thread = call ptr @bpf_get_current_task_btf() */
/* DUMP: %thread.at_16 = getelementptr inbounds i8, ptr %thread, i64 16 */
/* DUMP: %pid_2 = trunc i64 %pid to i32 */
/* DUMP: %cpu = call i64 @bpf_get_smp_processor_id() */
/* DUMP: %agg_0.element = call ptr @bpf_map_lookup_elem(ptr @ds_agg_0, ptr %key) */
/* DUMP: %agg_0.element.is_zero = icmp eq */
/* DUMP: %task.element = call ptr @bpf_task_storage_get(ptr @ds_task, ptr %thread */
syscall::read:entry /execname == "cat"/ { @[pid, execname] = count(); self->start = timestamp; }
