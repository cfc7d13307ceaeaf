// System statistics (providers.md 16.2). arg0 is the amount by which the statistic grows.

provider sysinfo {
  probe bread, bwrite, idlethread, inv_swtch, lread, lwrite, modload, modunload, msg, mutex_adenters, namei, nthreads,
    phread, phwrite, pswitch, readch, rw_rdfails, rw_wrfails, sema, sysexec, sysfork, sysread, sysvfork, syswrite, trap,
    writech, xcalls(int increment);
};

sysinfo:::pswitch <- rawtp:::sched_switch [parameters 3..]
{ 1; }

sysinfo:::inv_swtch <- rawtp:::sched_switch [parameters 4..]
/args[1]->pid != 0 && (args[0] || (args[3] == 0 && !__is_yielding))/
{ 1; }

// ---- system calls

sysinfo:::sysread <- rawtp:::sys_enter [parameters 2..]
/__reads[args[1]]/
{ 1; }

sysinfo:::syswrite <- rawtp:::sys_enter [parameters 2..]
/__writes[args[1]]/
{ 1; }

sysinfo:::readch <- rawtp:::sys_exit [parameters 2..]
/args[1] > 0 && __reads[args[0]->orig_ax]/
{ (int)(args[1]); }

sysinfo:::writech <- rawtp:::sys_exit [parameters 2..]
/args[1] > 0 && __writes[args[0]->orig_ax]/
{ (int)(args[1]); }

sysinfo:::sysfork <- rawtp:::sched_process_fork [parameters 2..]
/args[1]->pid == args[1]->tgid && (curthread->flags & 0x200000) == 0 && (int64_t)uregs[15] != 58/
{ 1; }

sysinfo:::sysvfork <- rawtp:::sys_enter [parameters 2..]
/__is_call[args[1], 58]/
{ 1; }

sysinfo:::sysexec <- rawtp:::sys_enter [parameters 2..]
/__executes[args[1]]/
{ 1; }

sysinfo:::nthreads <- rawtp:::sched_process_fork [parameters 2..]
/args[1]->pid != args[1]->tgid/
{ 1; }

sysinfo:::trap <- rawtp:::page_fault_user [parameters 3..]
{ 1; }

sysinfo:::trap <- rawtp:::signal_generate [parameters 5..]
/args[2] == curthread && __is_fault[args[0], args[1]]/
{ 1; }

sysinfo:::namei <- fbt::path_lookupat:entry, otherwise fbt::filename_lookup:entry
{ 1; }

// System calls with a path argument.
sysinfo:::namei <- otherwise rawtp:::sys_enter [parameters 2..]
/__takes_path[args[1]]/
{ 1; }

sysinfo:::msg <- rawtp:::sys_enter [parameters 2..]
/args[1] >= 68 && args[1] <= 71 && !__is_32bit/
{ 1; }

sysinfo:::sema <- rawtp:::sys_enter [parameters 2..]
/((args[1] >= 64 && args[1] <= 66) || args[1] == 220) && !__is_32bit/
{ 1; }

// ---- blocks: of files, and of devices that are read and written themselves

sysinfo:::bread, sysinfo:::lread
  <- rawtp:::block_io_start [parameters 1..], otherwise rawtp:::block_rq_issue [parameters 1]
/!__is_block_write[args[0]] && __bio_mapping[args[0]->bio] != NULL/
{ 1; }

sysinfo:::phread <- rawtp:::block_io_start [parameters 1..], otherwise rawtp:::block_rq_issue [parameters 1]
/!__is_block_write[args[0]] && __bio_mapping[args[0]->bio] == NULL/
{ 1; }

sysinfo:::bwrite, sysinfo:::lwrite
  <- rawtp:::block_io_start [parameters 1..], otherwise rawtp:::block_rq_issue [parameters 1]
/__is_block_write[args[0]] && __bio_mapping[args[0]->bio] != NULL/
{ 1; }

sysinfo:::phwrite <- rawtp:::block_io_start [parameters 1..], otherwise rawtp:::block_rq_issue [parameters 1]
/__is_block_write[args[0]] && __bio_mapping[args[0]->bio] == NULL && !__is_erasing[args[0]->cmd_flags]/
{ 1; }

// ---- CPUs, locks, modules

// Before Linux 6.4 calls of other CPUs are visible only where they arrive.
sysinfo:::xcalls
  <- rawtp:::ipi_send_cpu [parameters 1..], rawtp:::ipi_send_cpumask [parameters 1..],
    otherwise rawtp:::call_function_entry [parameters 1..],
    otherwise rawtp:::call_function_single_entry [parameters 1..]
{ 1; }

// 0xffffffff is PWR_EVENT_EXIT.
sysinfo:::idlethread <- rawtp:::cpu_idle [parameters 2..]
/args[0] != 0xffffffff/
{ 1; }

sysinfo:::mutex_adenters <- rawtp:::contention_begin [parameters 2..]
/(args[1] & 32) != 0/
{ 1; }

sysinfo:::rw_rdfails <- rawtp:::contention_begin [parameters 2..]
/(args[1] & 2) != 0/
{ 1; }

sysinfo:::rw_wrfails <- rawtp:::contention_begin [parameters 2..]
/(args[1] & 4) != 0/
{ 1; }

sysinfo:::modload <- rawtp:::module_load [parameters 1..]
{ 1; }

sysinfo:::modunload <- rawtp:::module_free [parameters 1..]
{ 1; }
