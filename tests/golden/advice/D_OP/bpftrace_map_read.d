BEGIN { @start = count(); trace(timestamp - @start); }
