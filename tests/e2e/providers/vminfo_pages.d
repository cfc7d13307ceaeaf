/* The first write to new memory gets zeroed pages.
 @@command: %T/calls touch 300 */
#pragma D option quiet
int zeroed, fetched;

vminfo:::zfod /pid == $target/ { zeroed += args[0]; }
vminfo:::execpgin { fetched += args[0]; }
END { printf("%d\n", zeroed >= 300 && zeroed < 1000); }
