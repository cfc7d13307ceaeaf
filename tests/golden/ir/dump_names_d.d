/* Dumps show the D text above its instructions, name helpers and values, and fold tables and support functions. */
syscall::read:entry
/pid != 1/
{
	self->start = timestamp;
	@calls[execname, pid] = count();
	printf("%s", substr(execname, 1));
	printf("%d %d", tid, ppid);
}
/* DUMP: define i32 @prog_0 */
/* DUMP: ; dump_names_d.d:2  syscall::read:entry */
/* DUMP: ; dump_names_d.d:3  pid != 1 */
/* DUMP: call i64 @bpf_get_current_pid_tgid() */
/* DUMP: %pid = */
/* DUMP: ; dump_names_d.d:5  self->start = timestamp */
/* DUMP: %timestamp = call i64 @bpf_ktime_get_ns() */
/* DUMP: ; dump_names_d.d:6  @calls[execname, pid] = count() */
/* DUMP: %key.pid = getelementptr */
/* DUMP: ; tables and support functions, printed with -v: */
/* DUMP: @i386_calls */
/* DUMP: table of 512 x 2 bytes */
/* DUMP: ds_substr() */
/* ASM: ; dump_names_d.d:3  pid != 1 */
/* ASM: ; get_current_pid_tgid */
/* ASM: ; dump_names_d.d:6  @calls[execname, pid] = count() */
/* ASM: ; key.pid */
/* ASM: ; record.tid */
/* ASM: ; record.ppid */
/* ASM: ds_substr() */
/* NOT-IN-DUMP: !dbg */
/* NOT-IN-DUMP: i16 219 */
/* NOT-IN-DUMP: .loc */
