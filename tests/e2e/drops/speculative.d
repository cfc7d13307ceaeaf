/* A record that does not fit into a speculation ends its clause. Strings count with their maximum size.
 @@options: -x droptags */
#pragma D option quiet
#pragma D option specsize=300

BEGIN { self->id = speculation(); }
BEGIN { speculate(self->id); printf("%s fits.", probename); }
BEGIN { speculate(self->id); printf("%s does not.", probename); }
BEGIN { commit(self->id); }
BEGIN { exit(0); }
