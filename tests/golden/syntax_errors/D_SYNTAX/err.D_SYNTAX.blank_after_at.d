BEGIN { @ a = count(); }
