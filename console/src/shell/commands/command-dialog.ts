import { useSyncExternalStore } from 'react'

/** A dialog that is reachable on every screen. */
export type CommandDialog = 'palette' | 'shortcuts' | 'project' | 'api'

let shown: CommandDialog | null = null
const listeners = new Set<() => void>()

/** Null = none. Not a state of the layout, which would render the screen again. */
export const showDialog = (dialog: CommandDialog | null): void => {
  shown = dialog
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useShownDialog = (): CommandDialog | null => useSyncExternalStore(subscribe, () => shown)
