pid123:shop::Cart::add:entry { trace(arg1); }
