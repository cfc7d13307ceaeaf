BEGIN { @ = hist(arg0); }
