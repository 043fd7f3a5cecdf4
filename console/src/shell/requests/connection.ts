import { useSyncExternalStore } from 'react'

export type Connection = 'there' | 'lost'

let connection: Connection = 'there'
const listeners = new Set<() => void>()

export const setConnection = (next: Connection): void => {
  if (next === connection) return
  connection = next
  for (const listener of listeners) listener()
}

export const useConnection = (): Connection =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => connection,
  )
