import { element, write } from '../ui/dom.ts'
import type { Board, Notice } from './decide.ts'
import type { Texts } from '../ui/texts.ts'

export interface BoardView {
  readonly elements: readonly HTMLElement[]
  /** Where the name of the stream stands while there is no picture. */
  readonly board: HTMLElement
  /** `unsupported`, `unplayable` and `soundOnly` are boards, too: that there is no picture has its reason. */
  readonly show: (
    board: Board | 'unsupported' | 'unplayable' | 'soundOnly' | null,
    notice: Notice | null,
  ) => void
}

/** What is read where the picture would be, and the line that stands over the picture. */
export const createBoardView = (texts: Texts): BoardView => {
  const line = element('p', { class: 'line' })
  const more = element('p', { class: 'more' })
  const board = element('div', { class: 'board' }, line, more)
  const notice = element('p', { class: 'notice', role: 'status' })
  // What it says is heard, too, but not read again with each look at the server.
  board.setAttribute('role', 'status')

  const lines = {
    before: [texts.notBegun, texts.beginsByItself],
    starting: [texts.starting, ''],
    interrupted: [texts.interrupted, ''],
    ended: [texts.ended, ''],
    unavailable: [texts.unavailable, ''],
    unsupported: [texts.unsupported, ''],
    unplayable: [texts.unplayable, texts.unplayableHint],
    soundOnly: [texts.soundOnly, ''],
  } as const
  const notices = { interrupted: texts.interrupted, connectionLost: texts.connectionLost } as const

  return {
    elements: [board, notice],
    board,
    show: (shown, noticed) => {
      board.hidden = shown === null
      if (shown !== null) {
        board.dataset['board'] = shown
        const [first, second] = lines[shown]
        write(line, first)
        write(more, second)
      }
      write(notice, noticed === null ? '' : notices[noticed])
    },
  }
}
