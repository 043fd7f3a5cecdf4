/** `warning`: works, but not completely or not for long. */
export type FindingStatus = 'ok' | 'warning' | 'failed'

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
