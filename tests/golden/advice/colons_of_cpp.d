pid123:a.out:shop::Cart::add:entry { trace(arg1); }
