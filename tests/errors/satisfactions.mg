package satisfactions;

concept Semigroup = {
  type T;
  function bop(a: T, b: T): T;
};
implementation Matrices = external C++ lib.m {
  type M;
  function _*_(a: M, b: M): M;
};
satisfaction Holds = Matrices models Semigroup[T => M, bop => _*_];
satisfaction NoType = Matrices models Semigroup[bop => _*_];
satisfaction Unknown = Matrixes models Semigroup;
