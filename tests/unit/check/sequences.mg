// A rule about statements in a row, used in several blocks.
package sequences;

concept Share = {
  type T;
  function f(x: T): T;
  procedure put(obs x: T, out y: T);
  axiom share(x: T, y: T, e: T) {
    assert { x = f(e); y = f(e); } == { x = f(e); y = x; };
    assert { var u = f(e); call put(u, x); } == { var w: T; call put(e, w); x = f(w); };
  }
};

implementation Operations = external C++ lib.operations {
  type Int literals integer;
  type T;
  function f(x: T): T;
  function g(x: T): T;
  procedure put(obs x: T, out y: T);
};

program Base = {
  use Operations;
  procedure run(upd a: T, upd b: T, obs c: T) {
    a = g(c);
    a = f(c);
    b = f(c);
    for i in 0 .. 3 {
      b = f(g(c));
      a = f(g(c));
      var v: T = f(c);
      call put(v, a);
      var again: T = g(a);
      b = again;
    };
  }
};

program Shared = rewrite Base with Share 10;
