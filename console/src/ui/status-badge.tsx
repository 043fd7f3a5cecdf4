import './styles/status.css'
import type { ReactNode } from 'react'

/** `live` is on air; `busy` is work in progress. */
export type Tone = 'ok' | 'busy' | 'warning' | 'danger' | 'neutral' | 'live'

export const tones: readonly Tone[] = ['ok', 'busy', 'warning', 'danger', 'neutral', 'live']

/** State of a record: a dot and a word, so that colour is not the only difference. */
export const StatusBadge = ({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) => (
  <span className="status" data-tone={tone}>
    {children}
  </span>
)
