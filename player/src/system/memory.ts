import { isLook, type CaptionLook } from '../ui/caption-look.ts'

/** What the player remembers on the device of the viewer, after the viewer changed it. Nothing identifies a viewer. */
export interface Remembered {
  readonly volume?: number
  readonly isMuted?: boolean
  /** A language, or null for no captions. */
  readonly captions?: string | null
  readonly captionLook?: CaptionLook
  readonly isTheatre?: boolean
}

export interface Memory {
  readonly read: () => Remembered
  readonly keep: (changes: Remembered) => void
}

const key = 'zoetrope-player'

const isKind = {
  volume: (value: unknown) => typeof value === 'number' && value >= 0 && value <= 1,
  isMuted: (value: unknown) => typeof value === 'boolean',
  captions: (value: unknown) => value === null || typeof value === 'string',
  captionLook: isLook,
  isTheatre: (value: unknown) => typeof value === 'boolean',
} satisfies Record<keyof Remembered, (value: unknown) => boolean>

/** Drops values of other versions and of other scripts. */
const parse = (text: string | null): Remembered => {
  const value: unknown = JSON.parse(text ?? '{}')
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(
    Object.entries(value).filter(
      ([name, one]) => Object.hasOwn(isKind, name) && isKind[name as keyof Remembered](one),
    ),
  )
}

/** Without `isAllowed`, or where the browser blocks storage, values last as long as the page. */
export const createMemory = (
  isAllowed: boolean,
  // In a frame of another site, reading `localStorage` itself can throw.
  storage: () => Pick<Storage, 'getItem' | 'setItem'> = () => localStorage,
): Memory => {
  const load = (): Remembered => {
    try {
      return isAllowed ? parse(storage().getItem(key)) : {}
    } catch {
      return {}
    }
  }
  let known = load()
  return {
    read: () => known,
    keep: (changes) => {
      // Another player of the page may have changed other values.
      known = { ...known, ...load(), ...changes }
      try {
        if (isAllowed) storage().setItem(key, JSON.stringify(known))
      } catch {
        // Blocked or full.
      }
    },
  }
}
