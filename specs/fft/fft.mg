// The discrete Fourier transform of n = 2^m complex numbers,
//   X[k] = sum over j of exp(-2 pi i j k / n) x[j],
// by reshape and transpose (the self-sorting form of Stockham). A stage sees the row of n numbers
// as 2 x l x n/(2 l); its halves a, b of shape l x n/(2 l) go over into
//   a + b   and   (a - b) * w,   w[j] = exp(-i pi j / l) for row j,
// and the three axes into the order l, 2, n/(2 l). After the stages l = n/2, n/4, ..., 1 the row
// is the transform, in its order. Real and imaginary parts are arrays of their own.
package specs.fft.fft imports moa.library;

concept Butterflies = {
  use Expressions;

  // Half 0 or 1 of the row, in l rows.
  function half(x: Array, h: Int, l: Int): Array
    guard dim(x) == 1 && 0 <= h && h < 2 && 0 < l && at(shape(x), 0) % (2 * l) == 0;
  axiom halfDefinition(x: Array, h: Int, l: Int) {
    assert half(x, h, l) == psi([h], reshape(x, [2, l, at(shape(x), 0) / (2 * l)])): Array;
  }

  // The row that the stage leaves.
  function interleaved(a: Array, b: Array): Array
    guard dim(a) == 2 && dim(b) == 2 && (forall (m < 2) at(shape(a), m) == at(shape(b), m));
  axiom interleavedDefinition(a: Array, b: Array) {
    assert interleaved(a, b) ==
      ravel(transpose(lift(cat(a, b, 0), 0, at(shape(a), 0)), [1, 0, 2]));
  }

  // Row j of a times w[j].
  function scale_rows(w: Array, a: Array): Array guard dim(w) == 1 && dim(a) == 2;
  axiom scaleRowsDefinition(w: Array, a: Array) {
    assert scale_rows(w, a) == omega_mul(w, a, 0, 1);
  }

  // pi j / l for j < l.
  function angles(l: Int): Array guard 0 < l;
  axiom anglesDefinition(l: Int) {
    assert angles(l) == iota(l) * 3.141592653589793 / array(l);
  }

  // A stage: (re + i im) of the sum, and of the difference times cos - i sin.
  function stage_re(re: Array, im: Array, l: Int): Array guard dim(re) == 1 && dim(im) == 1;
  function stage_im(re: Array, im: Array, l: Int): Array guard dim(re) == 1 && dim(im) == 1;
  axiom stageRe(re: Array, im: Array, l: Int) {
    assert stage_re(re, im, l) ==
      interleaved(half(re, 0, l) + half(re, 1, l),
                  scale_rows(cos(angles(l)), half(re, 0, l) - half(re, 1, l)) +
                    scale_rows(sin(angles(l)), half(im, 0, l) - half(im, 1, l)));
  }
  axiom stageIm(re: Array, im: Array, l: Int) {
    assert stage_im(re, im, l) ==
      interleaved(half(im, 0, l) + half(im, 1, l),
                  scale_rows(cos(angles(l)), half(im, 0, l) - half(im, 1, l)) -
                    scale_rows(sin(angles(l)), half(re, 0, l) - half(re, 1, l)));
  }
};

program FFT = implement Butterflies in {
  use Butterflies;

  procedure stage(upd re: Array, upd im: Array, obs l: Int) {
    var next = stage_re(re, im, l);
    im = stage_im(re, im, l);
    re = next;
  };

  // 64 stages are enough for any number of elements.
  procedure transform(upd re: Array, upd im: Array) guard dim(re) == 1 && dim(im) == 1 {
    var l = at(shape(re), 0) / 2;
    while 0 < l bound 64 {
      call stage(re, im, l);
      l = l / 2;
    };
  };
};
