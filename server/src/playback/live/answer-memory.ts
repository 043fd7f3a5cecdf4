export interface NodeAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: Buffer
}

/** An answer of a live node and the viewers that read it. */
export interface HeldAnswer {
  readonly answer: NodeAnswer
  readonly freshUntilMs: number
  userCount: number
  isKept: boolean
}

export interface AnswerMemoryLimits {
  /** Limit for all bytes: those that viewers read, and those that are kept. */
  readonly heldBytes: number
  /** Limit for the bytes that are kept for the next viewer. */
  readonly idleBytes: number
}

export interface AnswerMemory {
  /** Returns the answer under this key if it is fresh. */
  readonly find: (key: string) => HeldAnswer | undefined
  readonly add: (key: string, answer: NodeAnswer, freshMs: number) => HeldAnswer
  /** Counts the bytes until the returned function is called. */
  readonly use: (held: HeldAnswer) => () => void
  /**
   * Counts bytes that are arriving, after dropping what no viewer reads. Returns a function that must be called when
   * they have arrived, or null when they do not fit.
   */
  readonly reserve: (sizeBytes: number) => (() => void) | null
}

/** Headers, key and objects. Without them, very many small answers would fill the memory. */
const overheadBytes = 1_024

const sizeOf = ({ answer }: HeldAnswer): number => answer.body.length + overheadBytes

/** Keeps answers for a short time, and counts their bytes until the slowest viewer has them. */
export const createAnswerMemory = (limits: AnswerMemoryLimits, now: () => number): AnswerMemory => {
  /** Least recently used first. */
  const kept = new Map<string, HeldAnswer>()
  let heldBytes = 0
  let idleBytes = 0

  const drop = (key: string, held: HeldAnswer): void => {
    kept.delete(key)
    held.isKept = false
    if (held.userCount > 0) return
    idleBytes -= sizeOf(held)
    heldBytes -= sizeOf(held)
  }
  const dropIdleWhile = (isTooMuch: () => boolean): void => {
    for (const [key, held] of kept) {
      if (!isTooMuch()) return
      if (held.userCount === 0) drop(key, held)
    }
  }

  return {
    find: (key) => {
      const held = kept.get(key)
      if (held === undefined) return undefined
      if (held.freshUntilMs <= now()) {
        drop(key, held)
        return undefined
      }
      kept.delete(key)
      kept.set(key, held)
      return held
    },
    add: (key, answer, freshMs) => {
      const former = kept.get(key)
      if (former !== undefined) drop(key, former)
      const held: HeldAnswer = { answer, freshUntilMs: now() + freshMs, userCount: 0, isKept: freshMs > 0 }
      if (!held.isKept) return held
      kept.set(key, held)
      heldBytes += sizeOf(held)
      idleBytes += sizeOf(held)
      dropIdleWhile(() => idleBytes > limits.idleBytes)
      return held
    },
    use: (held) => {
      const sizeBytes = sizeOf(held)
      if (held.userCount === 0) {
        if (held.isKept) idleBytes -= sizeBytes
        else heldBytes += sizeBytes
      }
      held.userCount++
      return () => {
        held.userCount--
        if (held.userCount > 0) return
        if (held.isKept) idleBytes += sizeBytes
        else heldBytes -= sizeBytes
        dropIdleWhile(() => idleBytes > limits.idleBytes)
      }
    },
    reserve: (sizeBytes) => {
      dropIdleWhile(() => heldBytes + sizeBytes > limits.heldBytes)
      if (heldBytes + sizeBytes > limits.heldBytes) return null
      heldBytes += sizeBytes
      return () => void (heldBytes -= sizeBytes)
    },
  }
}
