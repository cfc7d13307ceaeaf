/* Many new elements in one firing with interrupts disabled: none may be lost. */
#pragma D option quiet

profile:::tick-10ms
{
	self->name["a"] = "1";
	self->name["b"] = "2";
	self->name["c"] = "3";
	number["a"] = 1;
	number["b"] = 2;
	number["c"] = 3;
	number["d"] = 4;
	number["e"] = 5;
	number["f"] = 6;
	printf("%s%s%s %d\n", self->name["a"], self->name["b"], self->name["c"], number["a"] + number["f"]);
	exit(0);
}
