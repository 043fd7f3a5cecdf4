export interface RaisedWarning {
  readonly code: string
  readonly message: string
}

export interface LiveWarnings {
  /** One who hears of each when it begins, also of those so far. */
  readonly listen: (onRaised: (warning: RaisedWarning) => void) => void
  /** Something is not as it should be, until `clear`. Heard of when it begins. */
  readonly raise: (code: string, message: string) => void
  readonly clear: (code: string) => void
  /** Something has happened that is over already: once in a while for each code, and shown for a while. */
  readonly tell: (code: string, message: string) => void
  readonly current: () => readonly (RaisedWarning & { readonly sinceMs: number })[]
}

/** How long something that is over is shown, and not told again. */
const toldForMs = 60_000

/** What is wrong with a broadcast at this moment. */
export const createLiveWarnings = (now: () => number): LiveWarnings => {
  let listener: ((warning: RaisedWarning) => void) | null = null
  let unheard: RaisedWarning[] = []
  const warnings = new Map<string, RaisedWarning & { readonly sinceMs: number; readonly untilMs: number }>()
  const add = (code: string, message: string, untilMs: number): void => {
    const known = warnings.get(code)
    if (known !== undefined && known.untilMs > now()) return
    warnings.set(code, { code, message, sinceMs: now(), untilMs })
    if (listener === null) unheard.push({ code, message })
    else listener({ code, message })
  }
  return {
    listen: (onRaised) => {
      listener = onRaised
      for (const warning of unheard) onRaised(warning)
      unheard = []
    },
    raise: (code, message) => add(code, message, Infinity),
    clear: (code) => void warnings.delete(code),
    tell: (code, message) => add(code, message, now() + toldForMs),
    current: () => [...warnings.values()].filter(({ untilMs }) => untilMs > now()),
  }
}
