/* Programs that record no events have one ring. */
#pragma D option ringcpus=1
syscall::read:entry { @ = count(); }
tick-1s { printa(@); }
