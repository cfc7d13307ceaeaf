/* Reads and writes of a variable, and execution of a function.
 @@command: %T/watched 5
 @@watches */
#pragma D option quiet

int steps_elsewhere;

watch$target::flag:rw4 { reads++; }
watch:watched:step:x { steps++; steps_elsewhere += arg0 != arg1; }
END { printf("%d %d %d\n", reads, steps, steps_elsewhere); }
