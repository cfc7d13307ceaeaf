int PIDTYPE_PID;
BEGIN
{
	trace(curthread->fake_type == PIDTYPE_PID);
}
