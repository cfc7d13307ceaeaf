BEGIN /x/{ }
BEGIN /x /
{ }
BEGIN /x//* c */{ }
BEGIN /x / y / z/{ }
BEGIN /(x / /* half */ 2) > (y /* one */
/ 3)/ { }
BEGIN /x, y = 1/ { }
BEGIN /x /* before */ / { }
BEGIN /a["/"] == '/'/ { }
