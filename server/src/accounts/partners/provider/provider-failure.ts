export type ProviderStep = 'discovery' | 'keys' | 'token' | 'sign-in'

/**
 * Failure of the identity provider. refused: it will not serve Zoetrope until a person changes something;
 * unreachable: it may work later. The message is a sentence for administrators and contains no secret.
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

export const failureOf = (error: unknown): ProviderFailure => {
  if (error instanceof ProviderFailure) return error
  throw error
}
