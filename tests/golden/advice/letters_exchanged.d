BEGIN { prinft("x"); }
