export type ProviderStep = 'discovery' | 'keys' | 'token' | 'sign-in'

/**
 * Why the identity provider gave nothing. refused: it answers and will not serve us, until a person changes something; unreachable: it may
 * serve us later. The message is a sentence for administrators and holds no secret.
 */
export class ProviderFailure extends Error {
  readonly kind: 'refused' | 'unreachable'
  readonly step: ProviderStep

  constructor(kind: 'refused' | 'unreachable', step: ProviderStep, message: string) {
    super(message)
    this.name = 'ProviderFailure'
    this.kind = kind
    this.step = step
  }
}

/** For what may fail at the provider; everything else is thrown on. */
export const failureOf = (error: unknown): ProviderFailure => {
  if (error instanceof ProviderFailure) return error
  throw error
}
