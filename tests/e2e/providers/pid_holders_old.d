/* Contents of strings and vectors of the C++ library.
 @@command: %T/holders_abi0 */
#pragma D option quiet
#pragma D option printform=compact

pid$target:a.out:holders.cpp@25:observe {
  printf("%s, %s, %s, %s\n", $copy, $view, stringof($text), stringof($whole->name));
  printf("%d\n", strlen(stringof($long_text)));
  print($long_text);
  print($whole);
}
