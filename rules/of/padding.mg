// Padding: arrays hold copies of their opposite ends, so that rotated accesses need no
// modulo. P3 paper, Listings 11 and 21, with the condition that the paper leaves out.
package of.padding;

// Results of the schedule are computed into padded arrays and refilled.
concept PadSchedule = {
  type T...;
  type Array;
  procedure refillPadding(upd a: Array);
  function schedule(xs: T...): Array;
  function schedulePadded(xs: T...): Array;
  axiom padRule(xs: T...) {
    assert schedule(xs...) == {
      var result = schedulePadded(xs...);
      call refillPadding(result);
      value result;
    };
  }
};

// A rotated access of an index inside the domain stays within the padding when the
// offset is at most the padding.
//   psi(rotateIx(ix, 0, 1), a)  =>  psi(rotateIxPadded(ix, 0, 1), a)   where padding() = 1
concept PadRotate = {
  type E;
  type Array;
  type Index;
  type Axis;
  type Offset;
  function padding(): Offset;
  function -_(o: Offset): Offset;
  predicate _<=_(a: Offset, b: Offset);
  predicate inside(ix: Index);
  function psi(ix: Index, array: Array): E;
  function rotateIx(ix: Index, axis: Axis, offset: Offset): Index;
  function rotateIxPadded(ix: Index, axis: Axis, offset: Offset): Index;
  axiom rotateIxPadRule(ix: Index, axis: Axis, offset: Offset, a: Array)
      guard inside(ix) && -padding() <= offset && offset <= padding() {
    assert psi(rotateIx(ix, axis, offset), a) == psi(rotateIxPadded(ix, axis, offset), a);
  }
};

concept OFPad = {
  use PadSchedule;
  use PadRotate;
};
