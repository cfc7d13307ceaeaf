END { printa(@reads); }
