/** The command was typed wrongly: told in one sentence, exit status 2. */
export class UsageError extends Error {}
