/* golden: string zdefs */ nosuch:::probe /args[0] == 1/ { trace(args[1]->x); } BEGIN
