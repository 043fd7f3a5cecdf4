export type WebhookSignatureErrorCode =
  | 'missing_header'
  | 'malformed_header'
  | 'too_old'
  | 'too_new'
  | 'no_match'

/** Thrown when a request cannot be trusted. Respond with 400 or 401 and do not process the body. */
export class WebhookSignatureError extends Error {
  override readonly name = 'WebhookSignatureError'
  readonly code: WebhookSignatureErrorCode

  constructor(code: WebhookSignatureErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
