/* Aggregations continue after clear(). */
#pragma D option quiet

tick-10ms /n++ == 0/ { @a["x"] = sum(100); @a["y"] = sum(100); clear(@a); }
tick-10ms /n == 10/ { @a["x"] = sum(5); exit(0); }
