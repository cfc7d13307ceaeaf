uprobe:shop:cart.c@64: { trace($below); }
