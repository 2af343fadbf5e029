package imports_missing imports oen, lib.base;
signature A = Whatever;
