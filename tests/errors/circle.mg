package circle;

signature A = { use B; };
signature B = C[[x => y]];
signature C = { require A; };
