package αβ;
signature Σ = { type Τ; /* � */ function _∘_(a: Τ): Τ; };
