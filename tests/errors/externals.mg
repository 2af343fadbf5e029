package externals;

implementation A = external Kokkos scalars { type T; };
implementation B = external Kokkos scalar { type Unbindable; };
implementation C = external Kokkos scalar { require type T; function unbindable(): T; };
implementation D = external C++ lib.d { type T; function c(): T; function f(): T = c(); };
