/* Which events there are, and how often they may fire, is known before anything is traced. */
cpc:::cpu_clock-all-99 { }
