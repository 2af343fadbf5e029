package renaming;

concept Magma = { type T; function bop(a: T, b: T): T; };
concept A = Magma[T => Int, bpo => _+_];
concept B = Magma[T => Int, T => Nat];
concept C = Magma[Wrong];
renaming Wrong = [op => _+_];
renaming Loop = [Again];
renaming Again = [Loop];
concept D = Magma[T => Statement];
