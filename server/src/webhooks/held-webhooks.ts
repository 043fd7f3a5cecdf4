export interface HeldWebhooks {
  readonly hold: (webhookId: number, heldMs: number) => void
  /** Also when its time is over, until `ids` is asked: who began to read before must not bring anything of it. */
  readonly has: (webhookId: number) => boolean
  /** Lets go those whose time is over and answers the others. */
  readonly ids: () => number[]
}

/** Webhooks that nothing can be sent to for a reason of ours, or of the identity provider; their deliveries stay pending. */
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
