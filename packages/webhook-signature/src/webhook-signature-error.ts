export type WebhookSignatureErrorCode = 'missing_header' | 'too_old' | 'too_new' | 'no_match'

/** The request cannot be trusted; answer it with 400 or 401 and read no further. */
export class WebhookSignatureError extends Error {
  override readonly name = 'WebhookSignatureError'
  readonly code: WebhookSignatureErrorCode

  constructor(code: WebhookSignatureErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
