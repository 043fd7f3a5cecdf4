import { hasStaleLink, problemIcons, type ProblemReason } from '../problem/problem-card.ts'
import { element, icon, write } from '../ui/dom.ts'
import type { Board, Notice } from './decide.ts'
import type { Texts } from '../locales/texts.ts'

/** Each state without a picture has its reason. */
export type ShownBoard = Board | 'unsupported' | 'unplayable' | 'soundOnly' | 'offline'

/** Boards that state a problem, which the page reports. */
export const boardProblems = {
  unavailable: 'unavailable',
  unsupported: 'unsupported',
  unplayable: 'codec',
} as const

export const isProblem = (shown: ShownBoard): shown is keyof typeof boardProblems => shown in boardProblems

interface Refusal {
  readonly reason: ProblemReason
  readonly title: string
  readonly hint: string
}

export interface BoardView {
  readonly elements: readonly HTMLElement[]
  /** Contains the stream title while there is no picture. */
  readonly board: HTMLElement
  readonly show: (board: ShownBoard | null, notice: Notice | null) => void
  /** Texts that state why the stream is refused, and the id of the report; null = unknown. */
  readonly setProblem: (refusal: Refusal | null, supportId: string | null) => void
  /** Texts of the publisher. Empty = the texts of the player. */
  readonly setWords: (words: { readonly before: string; readonly ended: string }) => void
  /**
   * The picture behind the text; null = none. It is reloaded each time, because each broadcast leaves another
   * one.
   */
  readonly setPoster: (url: (() => string) | null) => void
  readonly posterUrl: () => string | null
}

export const createBoardView = (texts: Texts, boardText: string, onRetry: () => void): BoardView => {
  const line = element('p', { class: 'line' })
  const more = element('p', { class: 'more' })
  const poster = element('img', { class: 'behind', alt: '' })
  // An unavailable stream has none, and the browser would show a broken picture.
  poster.addEventListener('error', () => poster.removeAttribute('src'))
  const support = element('p', { class: 'support' })
  const sign = element('div', { class: 'sign' })
  const retry = element('button', { type: 'button', class: 'retry' }, texts.problems.retry)
  retry.addEventListener('click', onRetry)
  // Screen readers announce these texts when they change. Controls do not belong into a live region.
  const said = element('div', { class: 'board-said', role: 'status' }, line, more)
  const board = element('div', { class: 'board' }, poster, sign, said, retry, support)
  const notice = element('p', { class: 'notice', role: 'status' })

  const hints: Partial<Record<ShownBoard, string>> = {
    before: texts.beginsByItself,
    unplayable: texts.unplayableHint,
    offline: texts.problems.offline.hint,
  }
  let words = { before: boardText, ended: '' }
  const lineOf = (shown: ShownBoard): string => {
    if (shown === 'before') return words.before || texts.notBegun
    if (shown === 'unavailable') return refused?.title ?? texts.unavailable
    if (shown === 'offline') return texts.problems.offline.title
    return shown === 'ended' ? words.ended || texts.ended : texts[shown]
  }
  let refused: Refusal | null = null
  let supportText: string | null = null
  let posterUrl: (() => string) | null = null
  let shownNow: ShownBoard | null = null
  let signNow: ProblemReason | null = null
  const drawSign = (reason: ProblemReason | null): void => {
    if (reason === signNow) return
    signNow = reason
    sign.replaceChildren(...(reason === null ? [] : [icon(problemIcons[reason])]))
  }
  let loads = 0
  const loadPoster = (): void => {
    // With an unchanged URL the browser would show its cached picture.
    if (posterUrl === null || shownNow === null) poster.removeAttribute('src')
    else poster.src = `${posterUrl()}?${++loads}`
  }
  const notices = { interrupted: texts.interrupted, connectionLost: texts.connectionLost } as const

  return {
    elements: [board, notice],
    board,
    show: (shown, noticed) => {
      board.hidden = shown === null
      if (shown !== null) {
        board.dataset['board'] = shown
        write(line, lineOf(shown))
        write(more, (shown === 'unavailable' ? refused?.hint : hints[shown]) ?? '')
        write(support, isProblem(shown) ? (supportText ?? '') : '')
        drawSign(
          isProblem(shown) ? (refused?.reason ?? boardProblems[shown]) : shown === 'offline' ? shown : null,
        )
        // A retry cannot succeed with a missing codec or an expired link.
        retry.hidden = shown !== 'unavailable' || (refused !== null && hasStaleLink(refused.reason))
      }
      if (shown !== shownNow) {
        shownNow = shown
        loadPoster()
      }
      write(notice, noticed === null ? '' : notices[noticed])
    },
    setProblem: (refusal, supportId) => {
      refused = refusal
      supportText = supportId
    },
    setWords: (given) => {
      words = given
    },
    setPoster: (url) => {
      const isNew = (url === null) !== (posterUrl === null)
      posterUrl = url
      if (isNew) loadPoster()
    },
    posterUrl: () => posterUrl?.() ?? null,
  }
}
