/** `warning`: it works, but not everything or not for long. */
export type FindingStatus = 'ok' | 'warning' | 'failed'

/** What a check has found, and where it is not fine, what helps. */
export interface Finding {
  readonly Check: string
  readonly Status: FindingStatus
  readonly Message: string
}

export const finding = (Check: string, Status: FindingStatus, Message: string): Finding => ({
  Check,
  Status,
  Message,
})
