/** A fault that the operator can fix: the program prints the message without a stack trace and exits. */
export class StartupError extends Error {}
