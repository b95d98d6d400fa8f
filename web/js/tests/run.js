/**
 * Runs all tests that the files before have added.
 */
void Suite.run();
