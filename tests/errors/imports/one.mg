package one;
signature Both = {};
