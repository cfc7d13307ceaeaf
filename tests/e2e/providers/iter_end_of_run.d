/* Without other probes, the run ends after the last object. Each thread has its own variables. */
#pragma D option quiet

BEGIN { self->mark = 5; printf("begin\n"); }
iter::task: /pid == $pid && tid == $pid/ { printf("%d %d\n", args[0]->pid == $pid, arg0 == (uintptr_t)args[0]); }
iter::task: /tid == $pid/ { self->mark++; printf("%d\n", self->mark); }
iter::bpf_map: /stringof(args[0]->name) == "ds_ring"/ { maps = 1; }
END { printf("%d end\n", maps); }
