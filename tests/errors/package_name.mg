package some.other.name;
signature A = {};
