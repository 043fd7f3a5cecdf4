import { statusOf, type Addresses } from '../engine/addresses.ts'
import type { Texts } from '../locales/texts.ts'
import { hasStaleLink, showProblem, type ProblemReason } from '../problem/problem-card.ts'
import { pageOfMedia, reportProblem } from '../problem/report-problem.ts'

const pollMs = 3_000

export interface Problem {
  readonly reason: ProblemReason
  readonly supportId: string | null
  readonly message: string
}

export interface FileProblems {
  readonly show: (reason: ProblemReason, detail: string) => void
  /** Removes the message, if any, because the viewer or the embedding page tries again. */
  readonly clear: () => void
  readonly reason: () => ProblemReason | null
}

/** Shows why a file or playlist does not play, and plays on by itself when the connection is back. */
export const createFileProblems = (around: {
  readonly stage: HTMLElement
  readonly place: HTMLElement
  readonly video: HTMLVideoElement
  readonly texts: Texts
  readonly addresses: Addresses
  readonly retry: () => void
  /** The connection is back. */
  readonly onConnection: () => void
  /** Playback has stopped because the browser has no network. */
  readonly onOffline: () => void
  readonly onProblem: (problem: Problem) => void
}): FileProblems => {
  const { stage, place, video, texts, addresses } = around
  let reason: ProblemReason | null = null
  /** Distinguishes problems: the answer to the report of an earlier one is late. */
  let count = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  /** Id of the report of a problem that is not drawn yet. */
  let waitingId: string | null = null

  const draw = (drawn: ProblemReason, supportId: string | null): void => {
    reason = drawn
    stage.classList.add('lost')
    showProblem(place, texts, {
      reason: drawn,
      supportId,
      retry: drawn === 'unsupported' || hasStaleLink(drawn) ? null : around.retry,
    })
  }
  const clear = (): void => {
    count += 1
    reason = null
    clearTimeout(timer)
    place.hidden = true
    stage.classList.remove('lost')
  }

  const poll = async (): Promise<void> => {
    const mine = count
    clearTimeout(timer)
    const isBack = (await statusOf(addresses)) !== null
    if (mine !== count) return
    if (isBack) around.onConnection()
    else timer = setTimeout(() => void poll(), pollMs)
  }
  /** What is buffered plays on without a message, until the connection is back or the link is renewed. */
  const drawWhenStarved = (): void => {
    if (reason !== 'offline' && reason !== 'expired') return
    if (video.error !== null || video.readyState < HTMLMediaElement.HAVE_FUTURE_DATA) draw(reason, waitingId)
  }
  const waitForConnection = (): void => {
    reason = 'offline'
    waitingId = null
    drawWhenStarved()
    around.onProblem({ reason, supportId: null, message: texts.problems.offline.title })
    timer = setTimeout(() => void poll(), pollMs)
  }
  video.addEventListener('waiting', () => {
    // The engine tries for half a minute before it gives up.
    if (reason === null && !navigator.onLine) around.onOffline()
    if (place.hidden) drawWhenStarved()
  })
  // A seek within the buffer waits for a moment, too.
  video.addEventListener('playing', () => {
    if (reason !== 'offline' && reason !== 'expired') return
    place.hidden = true
    stage.classList.remove('lost')
  })
  addEventListener('online', () => {
    if (reason === 'offline') void poll()
  })

  const show = async (lost: ProblemReason, detail: string): Promise<void> => {
    const mine = (count += 1)
    clearTimeout(timer)
    if (lost === 'offline') return waitForConnection()
    const notify = (found: ProblemReason, supportId: string | null): void =>
      around.onProblem({ reason: found, supportId, message: texts.problems[found].title })
    if (lost === 'expired') {
      reason = lost
      waitingId = null
      drawWhenStarved()
      // The embedding page may have a new link at once.
      notify(lost, null)
      // The report shows whether this is the reason.
    } else if (lost !== 'failed') draw(lost, null)
    const answer = await reportProblem(pageOfMedia(addresses.of('')), lost, detail)
    if (mine !== count) return
    if (answer === null && lost === 'failed') return waitForConnection()
    const state = answer?.State ?? 'available'
    const refused = state === 'upcoming' ? 'unavailable' : state
    const found = lost === 'failed' && refused !== 'available' ? refused : lost
    const supportId = answer?.SupportId ?? null
    if (lost === 'expired') {
      waitingId = supportId
      drawWhenStarved()
    } else {
      draw(found, supportId)
      notify(found, supportId)
    }
  }

  return { show: (lost, detail) => void show(lost, detail), clear, reason: () => reason }
}
