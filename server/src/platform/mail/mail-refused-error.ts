/** A refusal that another attempt would not change. */
export class MailRefusedError extends Error {}
