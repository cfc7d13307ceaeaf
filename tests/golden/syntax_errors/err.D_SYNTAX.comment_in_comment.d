BEGIN /* one /* two */
{ }
