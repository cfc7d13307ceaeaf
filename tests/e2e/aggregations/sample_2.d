/* The second worked sample: two keys. */
#pragma D option quiet

BEGIN { @a["x", 1] = count(); @a["y", 2] = count(); @a["y", 2] = count(); exit(0); }
