export interface RaisedWarning {
  readonly code: string
  readonly message: string
}

export interface LiveWarnings {
  /** Sets the listener. It is called for each warning that begins, and for those raised before. */
  readonly listen: (onRaised: (warning: RaisedWarning) => void) => void
  /** Raises a warning that lasts until `clear`. The listener is called when it begins. */
  readonly raise: (code: string, message: string) => void
  readonly clear: (code: string) => void
  /** Reports an event that is already over. It is shown for a while, and not reported again in that time. */
  readonly report: (code: string, message: string) => void
  readonly current: () => readonly (RaisedWarning & { readonly sinceMs: number })[]
}

/** How long an event that is over is shown and not reported again. */
const reportedForMs = 60_000

export const createLiveWarnings = (now: () => number): LiveWarnings => {
  let listener: ((warning: RaisedWarning) => void) | null = null
  let pending: RaisedWarning[] = []
  const warnings = new Map<string, RaisedWarning & { readonly sinceMs: number; readonly untilMs: number }>()
  const add = (code: string, message: string, untilMs: number): void => {
    const known = warnings.get(code)
    if (known !== undefined && known.untilMs > now()) return
    warnings.set(code, { code, message, sinceMs: now(), untilMs })
    if (listener === null) pending.push({ code, message })
    else listener({ code, message })
  }
  return {
    listen: (onRaised) => {
      listener = onRaised
      for (const warning of pending) onRaised(warning)
      pending = []
    },
    raise: (code, message) => add(code, message, Infinity),
    clear: (code) => void warnings.delete(code),
    report: (code, message) => add(code, message, now() + reportedForMs),
    current: () => [...warnings.values()].filter(({ untilMs }) => untilMs > now()),
  }
}
