/* The first instruction by its offset, and all instructions: each executes once, except in branches.
 @@command: %T/functions 5 */
#pragma D option quiet

pid$target:a.out:negative:0 { @first = count(); }
pid$target:a.out:negative: { all[probename] = 1; }
pid$target:a.out:negative:entry /!all["0"]/ { wrong++; }
pid$target:a.out:negative:return { @order[all["entry"], all["0"], wrong] = count(); }
