import { useSyncExternalStore } from 'react'
import { browserStorage } from '../shell/storage.ts'

export const stepNames = ['play', 'embed', 'upload', 'key', 'webhook', 'live'] as const
export type StepName = (typeof stepNames)[number]

interface Kept {
  readonly ticks: readonly StepName[]
  readonly isHidden: boolean
}

/** Stored per user in this browser, because the server does not know what was played and copied. */
const keyOf = (userId: number): string => `zoetrope-first-steps-${userId}`

const nothing: Kept = { ticks: [], isHidden: false }
const known = new Map<number, Kept>()
const listeners = new Set<() => void>()

const parse = (text: string | null): Kept => {
  try {
    const { ticks, isHidden } = JSON.parse(text ?? '') as Partial<Record<keyof Kept, unknown>>
    return {
      ticks: Array.isArray(ticks) ? stepNames.filter((name) => ticks.includes(name)) : [],
      isHidden: isHidden === true,
    }
  } catch {
    return nothing
  }
}

const read = (userId: number): Kept => {
  const kept = known.get(userId) ?? parse(browserStorage.read(keyOf(userId)))
  known.set(userId, kept)
  return kept
}

const write = (userId: number, kept: Kept): void => {
  known.set(userId, kept)
  browserStorage.write(keyOf(userId), JSON.stringify(kept))
  for (const listener of listeners) listener()
}

/** A completed step stays completed, because events and requests are deleted after a time. */
export const tick = (userId: number, names: readonly StepName[]): void => {
  const { ticks, isHidden } = read(userId)
  const all = stepNames.filter((name) => ticks.includes(name) || names.includes(name))
  if (all.length > ticks.length) write(userId, { ticks: all, isHidden })
}

export const hideSteps = (userId: number, isHidden: boolean): void =>
  write(userId, { ...read(userId), isHidden })

export const useKeptTicks = (userId: number): Kept =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => read(userId),
  )
