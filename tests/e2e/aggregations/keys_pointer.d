/* Pointers as keys are numbers of 8 bytes. Kernel structs cannot be compared, but their addresses can. */
#pragma D option quiet

BEGIN { @a[curthread] = count(); @a[curthread] = count(); @b[(void *)17] = count(); printa("%@d\n", @a); exit(0); }
