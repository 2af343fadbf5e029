package back imports forth;
