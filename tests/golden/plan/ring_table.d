/* A table of rings, one for each CPU. */
#pragma D option ringcpus=1
syscall::read:entry { trace(arg0); }
