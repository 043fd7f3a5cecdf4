export interface PausedWebhooks {
  readonly pause: (webhookId: number, pauseMs: number) => void
  /**
   * True also after the pause expired, until the next `ids` call: a read that started earlier must not add
   * deliveries.
   */
  readonly has: (webhookId: number) => boolean
  /** Removes expired pauses and returns the webhooks still paused. */
  readonly ids: () => number[]
}

/**
 * Webhooks paused because of a fault of Zoetrope or of the identity provider; their deliveries stay pending.
 */
export const createPausedWebhooks = (): PausedWebhooks => {
  const untilMs = new Map<number, number>()
  return {
    pause: (webhookId, pauseMs) => void untilMs.set(webhookId, performance.now() + pauseMs),
    has: (webhookId) => untilMs.has(webhookId),
    ids: () => {
      for (const [webhookId, endsAtMs] of untilMs)
        if (endsAtMs <= performance.now()) untilMs.delete(webhookId)
      return [...untilMs.keys()]
    },
  }
}
