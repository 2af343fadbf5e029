package operators_assigned;
implementation I = {
  type T;
  function _*_(a: T, b: T): T;
  function _+_(a: T, b: T): T;
  procedure p(upd a: T, obs b: T) { a += b; };
};
