/** Wrong usage of a command: printed as one sentence, exit status 2. */
export class UsageError extends Error {}
