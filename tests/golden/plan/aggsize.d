#pragma D option aggsize=16k
#pragma D option bufsize=64k
BEGIN { @[pid] = count(); trace(1); }
