import { fill, type Texts } from '../locales/texts.ts'
import { hintOf } from '../problem/problem-card.ts'
import { reportProblem } from '../problem/report-problem.ts'
import { boardProblems as reasons, isProblem, type BoardView, type ShownBoard } from './board-view.ts'

interface BoardProblem {
  readonly code: 'gone' | 'unsupported' | 'expired'
  readonly reason: string
  readonly message: string
  readonly supportId: string | null
}

/** Reports a board that states a problem once, and adds what the server answers to it. */
export const createBoardReports = (
  view: Pick<BoardView, 'setProblem'>,
  texts: Texts,
  around: { readonly page: () => string; readonly onProblem: (problem: BoardProblem) => void },
): {
  readonly onBoard: (shown: ShownBoard | null) => void
  /** Reports the shown problem again, so that the embedding page can send a new link. */
  readonly again: () => void
} => {
  let now: ShownBoard | null = null
  const report = async (shown: keyof typeof reasons): Promise<void> => {
    const answer = await reportProblem(around.page(), reasons[shown], 'live')
    if (now !== shown || answer === null) return
    const { SupportId: supportId, State: state } = answer
    const isRefusedLink = shown === 'unavailable' && (state === 'expired' || state === 'link')
    const refusal = isRefusedLink
      ? { reason: state, title: texts.problems[state].title, hint: hintOf(texts, state) }
      : null
    view.setProblem(refusal, supportId === null ? null : fill(texts.problems.supportId, { id: supportId }))
    around.onProblem({
      code: isRefusedLink && state === 'expired' ? state : shown === 'unsupported' ? shown : 'gone',
      reason: isRefusedLink ? state : reasons[shown],
      message: refusal?.title ?? texts[shown],
      supportId,
    })
  }
  return {
    onBoard: (shown) => {
      if (shown === now) return
      now = shown
      view.setProblem(null, null)
      if (shown !== null && isProblem(shown)) void report(shown)
    },
    again: () => {
      if (now !== null && isProblem(now)) void report(now)
    },
  }
}
