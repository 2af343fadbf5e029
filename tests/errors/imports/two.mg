package two;
signature Both = {};
