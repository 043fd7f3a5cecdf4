import type { ProblemReason } from './problem-card.ts'

const patienceMs = 3_000

/** Whether the server would serve the page now, and if not, why. */
export type PlayoutState = 'available' | 'unavailable' | 'link' | 'expired' | 'upcoming'

export interface ReportAnswer {
  readonly SupportId: string | null
  readonly State: PlayoutState
}

/** The path of the page of this playout, under the current signed link: `/s/<token>/v/<id>/` → `/s/<token>/embed/<id>`. */
export const pageOfMedia = (mediaRoot: string): string =>
  mediaRoot.replace(/\/[vl]\/([^/]+)\/?$/, '/embed/$1')

/**
 * Reports to the server what failed, without data of the viewer. The answer states whether the playout is still
 * available; null when the server cannot be reached.
 */
export const reportProblem = async (
  page: string,
  reason: ProblemReason,
  detail: string,
): Promise<ReportAnswer | null> => {
  try {
    const response = await fetch(`${page}/problems`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ Reason: reason, Detail: detail.slice(0, 100) }),
      signal: AbortSignal.timeout(patienceMs),
    })
    if (!response.ok) return { SupportId: null, State: 'available' }
    return (await response.json()) as ReportAnswer
  } catch {
    return null
  }
}
