package forth imports back;
