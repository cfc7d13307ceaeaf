/* Instructions of the program by address: function "-".
 @@options: -Z
 @@command: %T/exits */
#pragma D option quiet

pid$target::-:1 { printf("not there\n"); }
pid$target:a.out:two_returns:F { printf("%s %s\n", probefunc, probename); }
