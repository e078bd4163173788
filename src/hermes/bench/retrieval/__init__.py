"""How well recall finds what was said: public benchmarks, run through the product's own path."""
