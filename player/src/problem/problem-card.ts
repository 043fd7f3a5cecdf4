import { fill, type Texts } from '../locales/texts.ts'
import { element, icon } from '../ui/dom.ts'
import type { Shape } from '../ui/shapes.ts'

export type ProblemReason =
  | 'offline'
  | 'failed'
  | 'unavailable'
  | 'link'
  | 'expired'
  | 'upcoming'
  | 'codec'
  | 'unsupported'
  | 'site'

export const problemIcons: Readonly<Record<ProblemReason, Shape>> = {
  offline: 'offline',
  failed: 'alert',
  unavailable: 'denied',
  link: 'denied',
  expired: 'clock',
  upcoming: 'clock',
  codec: 'unplayable',
  unsupported: 'unplayable',
  site: 'denied',
}

/** Whether a reload cannot help: only an embedding page can send another signed link. */
export const hasStaleLink = (reason: ProblemReason): boolean =>
  (reason === 'link' || reason === 'expired') && window.parent === window

/** Returns the advice to the viewer. Viewers of an embedded player get a new link when they reload its page. */
export const hintOf = (texts: Texts, reason: ProblemReason): string =>
  (reason === 'link' || reason === 'expired') && window.parent !== window
    ? texts.problems.reloadPage
    : texts.problems[reason].hint

export interface ShownProblem {
  readonly reason: ProblemReason
  /** Finds the report in the log of the server. Null without a report. */
  readonly supportId: string | null
  readonly title?: string
  readonly extra?: HTMLElement
  /** Null if another attempt would fail, too. */
  readonly retry: (() => void) | null
}

/** Fills the alert of the page: what is wrong, what to do, and the id for the support. */
export const showProblem = (
  place: HTMLElement,
  texts: Texts,
  { reason, supportId, title, extra, retry }: ShownProblem,
  heading: 'h1' | 'h2' = 'h2',
): void => {
  const words = texts.problems[reason]
  const supportText = supportId === null ? '' : fill(texts.problems.supportId, { id: supportId })
  const shown = place.querySelector('.support')
  if (!place.hidden && place.dataset['reason'] === reason && shown !== null) {
    // Screen readers would announce the whole message again.
    shown.textContent = supportText
    return
  }
  place.dataset['reason'] = reason
  const support = element('p', { class: 'support' }, supportText)
  const button = element('button', { type: 'button', class: 'retry' }, texts.problems.retry)
  button.addEventListener('click', () => retry?.())
  // The controls are hidden now, and a replaced button has lost the focus.
  const hadFocus = place.parentElement?.contains(document.activeElement) === true
  place.replaceChildren(
    icon(problemIcons[reason]),
    element(heading, {}, title ?? words.title),
    element('p', {}, hintOf(texts, reason)),
    ...(extra === undefined ? [] : [extra]),
    ...(retry === null ? [] : [button]),
    support,
  )
  place.hidden = false
  if (hadFocus && retry !== null) button.focus()
}
