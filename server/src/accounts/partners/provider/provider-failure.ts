import type { Message, MessageParams } from '@zoetrope/vocabulary'

export type ProviderStep = 'discovery' | 'keys' | 'token' | 'sign-in'

/**
 * Failure of the identity provider. refused: it will not serve Zoetrope until a person changes something;
 * unreachable: it may work later. The message is a sentence for administrators and contains no secret.
 */
export class ProviderFailure extends Error {
  readonly kind: 'refused' | 'unreachable'
  readonly step: ProviderStep
  readonly reason: string
  readonly params: MessageParams

  constructor(kind: 'refused' | 'unreachable', step: ProviderStep, { reason, params, text }: Message) {
    super(text)
    this.name = 'ProviderFailure'
    this.kind = kind
    this.step = step
    this.reason = reason
    this.params = params
  }
}

export const failureOf = (error: unknown): ProviderFailure => {
  if (error instanceof ProviderFailure) return error
  throw error
}
