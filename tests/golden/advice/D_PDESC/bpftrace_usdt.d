usdt:/usr/bin/python3:function__entry { trace(pid); }
