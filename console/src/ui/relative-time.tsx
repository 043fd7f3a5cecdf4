import { createContext, useContext, useSyncExternalStore } from 'react'
import { formatAgo, perLanguage } from './format.ts'
import { useHint } from './hint.tsx'

const tickMs = 10_000
/** Older and later times show the date: "245 days ago" says less. */
const relativeMs = 30 * 24 * 3_600_000

let nowMs = Date.now()
const listeners = new Set<() => void>()
setInterval(() => {
  nowMs = Date.now()
  for (const listener of listeners) listener()
}, tickMs)

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const useTickedMs = (): number => useSyncExternalStore(subscribe, () => nowMs)

/** `5 minutes ago` for texts that contain it, kept current. Elsewhere, use `RelativeTime`. */
export const useAgo = (): ((instant: string) => string) => {
  useTickedMs()
  return (instant) => formatAgo(instant, Date.now())
}

/** Rows of a table take the keyboard focus, so the times in them do not. */
export const InTable = createContext(false)

const exactFormat = perLanguage(
  (language) => new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'medium' }),
)

const dateFormat = perLanguage((language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium' }))

/** `5 minutes ago`, kept current. Hover and focus show the exact time. */
export const RelativeTime = ({ instant }: { readonly instant: string | null }) => {
  const tickedMs = useTickedMs()
  const isInTable = useContext(InTable)
  const { target, hint } = useHint(() => (instant === null ? '' : exactFormat().format(new Date(instant))))
  if (instant === null) return <>–</>
  const atMs = new Date(instant).getTime()
  // What happened after the last tick is not in the future.
  const now = atMs > tickedMs && atMs < tickedMs + tickMs ? atMs : tickedMs
  const isNear = Math.abs(atMs - now) < relativeMs
  return (
    <>
      <time
        {...target}
        dateTime={instant}
        style={{ whiteSpace: 'nowrap' }}
        {...(!isInTable && { tabIndex: 0 })}
      >
        {isNear ? formatAgo(instant, now) : dateFormat().format(atMs)}
      </time>
      {hint}
    </>
  )
}
