/* Arguments that clang passes in other locations, or not at all, are found by debug information.
 @@command: %T/moved */
#pragma D option quiet

pid$target:a.out:constant:entry { printf("%d %d %d, ", args[0], args[1], args[2]); }
pid$target:a.out:promoted:entry { printf("args[1] %d\n", args[1]); }
