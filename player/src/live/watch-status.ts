/** What the server says of the stream; see docs/live.md. */
export interface StreamStatus {
  readonly State: 'offline' | 'online' | 'reconnecting' | 'ended'
  readonly Title: string
  /** What stands on the board before and after a broadcast; empty = the player's own words. */
  readonly BoardText: string
  readonly EndedText: string
  /** Whether there is a poster.jpg. */
  readonly HasPoster: boolean
  /** Another one is another broadcast. */
  readonly OnlineSince: string | null
  readonly IsLowLatency: boolean
}

export type StatusAnswer =
  | { readonly type: 'status'; readonly status: StreamStatus }
  /** Taken back, or the link has expired. */
  | { readonly type: 'refused' }
  /** The server, or the way to it. */
  | { readonly type: 'away' }

const everyMs = 2_500
const patienceMs = 8_000
/** A server that comes back is not met by all of its viewers in the same second. */
const longestMs = 10_000
/** Each waits up to so much of its time longer or shorter. */
const jitter = 0.2

/** What is taken back seldom comes again. */
const delayMs = (answer: StatusAnswer, failures: number): number => {
  if (answer.type === 'refused') return longestMs
  return Math.min(longestMs, everyMs * 2 ** Math.min(failures, 4))
}

export interface StatusWatch {
  /** Asks now instead of later. */
  readonly askNow: () => void
}

/** Asks for as long as the page is open. `onDate` is told the server's clock. */
export const watchStatus = (
  url: () => string,
  tell: (answer: StatusAnswer) => void,
  onDate: (serverDateMs: number) => void,
): StatusWatch => {
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let isAsking = false
  /** It was asked for something that the answer under way cannot know of, such as another link. */
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
    tell(answer)
  }

  self.addEventListener('online', () => void askNow())
  void askNow()
  return { askNow: () => void askNow() }
}
