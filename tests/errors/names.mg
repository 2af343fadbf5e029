package names imports one, two;

signature Heat = { type Array; };
signature A = Haet;
signature B = Both;
signature C = three.Both;
signature D = one.Boht;
signature E = ToInt;
renaming ToInt = [Array => Int];
signature Heat = { type Again; };
satisfaction S = Heat models Nothing;
