// A schedule of the user's own, in C++, around the generated element function: the
// solver of specs/burgers/paper.mg reduced to its normal form, and lib.hpp beside this
// file to call `substepIx` for every element, block by block.
package specs.own_schedule.own_schedule
  imports specs.burgers.paper, moa.indexwise, moa.dnf;

implementation BlockedSchedule = external C++ lib.blocked {
  require type Array;
  require type Float;
  require type Index;

  require function substepIx(u: Array, v: Array, u0: Array, u1: Array, u2: Array,
                             ix: Index): Float;
  function schedule(u: Array, v: Array, u0: Array, u1: Array, u2: Array): Array;
};

program Own = {
  use (rewrite
        (rewrite
          (implement ToIxwiseGenerator[op => substep, opIx => substepIx, E => Float] in Base)
         with ToIxwise[op => substep] 1)
       with DNFRules[E => Float] 20);
  use BlockedSchedule;
};
