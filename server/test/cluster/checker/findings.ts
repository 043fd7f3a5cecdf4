/** `lost`: acknowledged data is missing. `wrong`: any other violation. */
export interface Finding {
  readonly kind: 'lost' | 'wrong'
  readonly text: string
}

export const lost = (text: string): Finding => ({ kind: 'lost', text })
export const wrong = (text: string): Finding => ({ kind: 'wrong', text })
