package imports_cycle imports back;
signature A = {};
