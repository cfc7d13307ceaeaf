/* Samples of the processors' queues, as in the scripts of the DTrace book.
 @@options: -x compat=solaris
 @@command: %T/calls spin 50 */
#pragma D option quiet

profile-1000hz { @[curcpu->cpu_id < `ncpus] = count(); seen = 1; }
END { printf("%d %d\n", seen, `hz >= 100); trunc(@); }
