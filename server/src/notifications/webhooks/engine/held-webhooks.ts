export interface HeldWebhooks {
  readonly hold: (webhookId: number, heldMs: number) => void
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
export const createHeldWebhooks = (): HeldWebhooks => {
  const untilMs = new Map<number, number>()
  return {
    hold: (webhookId, heldMs) => void untilMs.set(webhookId, performance.now() + heldMs),
    has: (webhookId) => untilMs.has(webhookId),
    ids: () => {
      for (const [webhookId, endsAtMs] of untilMs)
        if (endsAtMs <= performance.now()) untilMs.delete(webhookId)
      return [...untilMs.keys()]
    },
  }
}
