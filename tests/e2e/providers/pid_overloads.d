/* C++ functions as spelled in source code, distinguished by parameters and template arguments.
 @@command: %T/overloads */
#pragma D option quiet

pid$target:a.out:shop::Cart::add:entry { @["any"] = count(); }
pid$target:a.out:shop::Cart::add(int):entry { @["int"] = count(); }
pid$target:a.out:shop::Cart::add(const char *):entry { @["text"] = count(); }
pid$target:a.out:shop::Cart::add() const:entry { @["none"] = count(); }
pid$target::shop::twice:entry { @["twice"] = count(); }
pid$target::shop::twice<long>:return { @["of long"] = count(); }
pid$target:a.out:*Cart??a?d*:return { @["pattern"] = count(); }
