"""What the tests share: assets, makers, the scripted engine's scripts."""
