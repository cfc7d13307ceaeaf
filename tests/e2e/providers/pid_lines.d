/* Lines of source files, also in a header that is inlined, and the variables of the program.
 @@command: %T/cart_plain */
#pragma D option quiet

pid$target:a.out:cart.c@34: { printf("%s in %s: first->name %s\n", probefunc, probename, stringof($first->name)); }
pid$target:a.out:cart.c@37: {
  printf("%s: total %d, price %d, p->price %d, kind %d\n", probefunc, $total, $price, $p->price, $p->kind);
}
pid$target:a.out:cart_price.h@6:reduced_price /$reduction > 1/ { print($$vars); }
pid$target:a.out:cart.c@39: { printf("static %d, thread-local %d\n", $items_made, $thread_total); }
pid$target:a.out:cart.c@71: {
  printf("%s %d %d, range %d to %d\n", stringof($label), $numbers[2], sizeof($numbers), $range.low, $range.high);
}
pid$target:a.out:count_below:entry { printf("count %d limit %d, %d\n", $count, $limit, *(int *)copyin((uintptr_t)$numbers, 4)); }
pid$target:a.out:count_below:return { printf("answer %d = %d\n", $answer, arg1); }
