export interface StreamStatus {
  readonly State: 'offline' | 'online' | 'reconnecting' | 'ended'
  readonly Title: string
  /** Text before and after a broadcast. Empty = the default text of the player. */
  readonly BoardText: string
  readonly EndedText: string
  readonly HasPoster: boolean
  /** Changes with each broadcast. */
  readonly OnlineSince: string | null
  readonly IsLowLatency: boolean
}

export type StatusAnswer =
  | { readonly type: 'status'; readonly status: StreamStatus }
  /** Unpublished, or the link has expired. */
  | { readonly type: 'refused' }
  | { readonly type: 'away' }

const everyMs = 2_500
const patienceMs = 8_000
/** Longest interval: a restarted server must not receive all viewers in the same second. */
const longestMs = 10_000
/** Each interval varies by up to this share. */
const jitter = 0.2

/** An unpublished stream seldom returns, so its interval is the longest. */
const delayMs = (answer: StatusAnswer, failures: number): number => {
  if (answer.type === 'refused') return longestMs
  return Math.min(longestMs, everyMs * 2 ** Math.min(failures, 4))
}

export interface StatusWatch {
  readonly askNow: () => void
}

/** Polls while the page is open. `onDate` receives the server clock. */
export const watchStatus = (
  url: () => string,
  onAnswer: (answer: StatusAnswer) => void,
  onDate: (serverDateMs: number) => void,
): StatusWatch => {
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let isAsking = false
  /** The running request predates a change, such as a new link. */
  let isStale = false

  const ask = async (): Promise<StatusAnswer> => {
    try {
      const response = await fetch(url(), { cache: 'no-store', signal: AbortSignal.timeout(patienceMs) })
      if (response.status === 403 || response.status === 404) return { type: 'refused' }
      if (!response.ok) return { type: 'away' }
      const date = response.headers.get('Date')
      if (date !== null) onDate(Date.parse(date))
      return { type: 'status', status: (await response.json()) as StreamStatus }
    } catch {
      return { type: 'away' }
    }
  }

  const askNow = async (): Promise<void> => {
    isStale = isAsking
    if (isAsking) return
    isAsking = true
    clearTimeout(timer)
    const answer = await ask()
    isAsking = false
    if (isStale && answer.type === 'refused') return askNow()
    failures = answer.type === 'away' ? failures + 1 : 0
    const share = 1 + jitter * (2 * Math.random() - 1)
    timer = setTimeout(() => void askNow(), delayMs(answer, failures) * share)
    onAnswer(answer)
  }

  self.addEventListener('online', () => void askNow())
  void askNow()
  return { askNow: () => void askNow() }
}
