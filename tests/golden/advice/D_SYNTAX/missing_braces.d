BEGIN ( trace(1) )
