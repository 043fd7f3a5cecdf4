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
  /** Of all bytes: those that viewers read, and those that are kept. */
  readonly heldBytes: number
  /** Of the bytes that are kept for the next viewer. */
  readonly idleBytes: number
}

export interface AnswerMemory {
  /** Returns the answer under this key if it is fresh. */
  readonly find: (key: string) => HeldAnswer | undefined
  readonly add: (key: string, answer: NodeAnswer, freshMs: number) => HeldAnswer
  /** Counts the bytes until the returned function is called. */
  readonly use: (held: HeldAnswer) => () => void
  /** Returns whether so many more bytes fit, after dropping what no viewer reads. */
  readonly hasRoomFor: (sizeBytes: number) => boolean
}

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
    idleBytes -= held.answer.body.length
    heldBytes -= held.answer.body.length
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
      const held: HeldAnswer = { answer, freshUntilMs: now() + freshMs, userCount: 0, isKept: true }
      kept.set(key, held)
      heldBytes += answer.body.length
      idleBytes += answer.body.length
      dropIdleWhile(() => idleBytes > limits.idleBytes)
      return held
    },
    use: (held) => {
      const sizeBytes = held.answer.body.length
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
    hasRoomFor: (sizeBytes) => {
      dropIdleWhile(() => heldBytes + sizeBytes > limits.heldBytes)
      return heldBytes + sizeBytes <= limits.heldBytes
    },
  }
}
