package a;
concept C = { type T; axiom a(x: T) { assert ((((x)))) == x; } }
concept D {