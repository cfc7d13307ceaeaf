/* Static probes of a program that is executed later, with arguments and semaphore. Variables keep their values.
 @@options: -x follow=exec
 @@command: /usr/bin/env %T/probes 3 */
#pragma D option quiet

pid$target:a.out:main:entry { mains++; }
shop$target:::sale { @prices[copyinstr(arg1)] = sum((int)arg0); }
shop$target:::watched { @watchers = max(arg0); }
END { printf("main %d\n", mains); printa("watched by %@d\n", @watchers); printa("%s %@d\n", @prices); }
