BEGIN /pid == 1/ && /uid == 0/ { }
