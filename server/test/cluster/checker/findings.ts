/** `lost`: something that was acknowledged is gone. `wrong`: something is there that must not be. */
export interface Finding {
  readonly kind: 'lost' | 'wrong'
  readonly text: string
}

export const lost = (text: string): Finding => ({ kind: 'lost', text })
export const wrong = (text: string): Finding => ({ kind: 'wrong', text })
