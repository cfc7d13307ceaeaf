/* Samples of the processors, as scripts of the book take them.
 @@options: -x compat=solaris
 @@command: %T/calls spin 50 */
#pragma D option quiet

profile-1000hz { @[curcpu->cpu_id < `ncpus] = count(); seen = 1; }
END { printf("%d %d\n", seen, `hz >= 100); trunc(@); }
