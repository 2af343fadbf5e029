package fuzz imports moa.library;
program D = implement Expressions in { use Expressions; procedure step(upd u: Array, obs k: Number) guard 0 < dim(u) { u = u + array(k) * fold _+_ (axis < dim(u)) (rotate(u, axis, 1) - 2 * u); }; };
