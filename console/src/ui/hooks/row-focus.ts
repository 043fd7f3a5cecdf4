import type { RouterHistory } from '@tanstack/react-router'
import { headingOfScreen } from './use-return-focus.ts'

/** The dialog closes and the row disappears within this time. */
const patienceMs = 1_000
const checkMs = 50

interface Place {
  readonly control: Element
  readonly list: Element
  readonly position: number
}

const placeOf = (control: Element): Place | null => {
  const row = control.closest('tr, li')
  if (row?.parentElement == null) return null
  return { control, list: row.parentElement, position: [...row.parentElement.children].indexOf(row) }
}

/** Where the focus was last on the screen. Menus and dialogs are in front of it. */
let last: Place | null = null

const remember = ({ target }: FocusEvent): void => {
  if (target instanceof Element && target.closest('main') !== null) last = placeOf(target)
}

const successorOf = ({ list, position }: Place): HTMLElement | null => {
  if (!list.isConnected) return null
  const row = list.children[position] ?? list.lastElementChild
  return [...(row?.querySelectorAll<HTMLElement>('button:enabled, a[href]') ?? [])].at(-1) ?? null
}

/** For a button that removes its row without a `Confirm`. */
export const keepRowFocus = (): void => {
  const place = last
  if (place === null) return
  const untilMs = performance.now() + patienceMs
  const timer = setInterval(() => {
    const isLost = document.activeElement === document.body && !place.control.isConnected
    if (isLost) (successorOf(place) ?? headingOfScreen())?.focus({ preventScroll: true })
    if (isLost || performance.now() > untilMs) clearInterval(timer)
  }, checkMs)
}

/**
 * Keeps the focus when a `Confirm` deletes the row from which it was opened: moves it to the row that follows, or
 * else to the heading of the screen. It also works after the last row, when the table is gone.
 */
export const watchRowFocus = (): void => {
  document.addEventListener('focusin', remember)
  addEventListener('confirmed', keepRowFocus)
}

/** The list loads again within this time. */
const backPatienceMs = 3_000

const focusLinkTo = (path: string): void => {
  const untilMs = performance.now() + backPatienceMs
  const timer = setInterval(() => {
    const link = document.querySelector<HTMLElement>(`main :is(tr, li) a[href="${CSS.escape(path)}"]`)
    if (link !== null && document.activeElement === document.body)
      (link.closest<HTMLElement>('tr[tabindex]') ?? link).focus({ preventScroll: true })
    if (link !== null || performance.now() > untilMs) clearInterval(timer)
  }, checkMs)
}

let isWatched = false

/** Back to a list moves the focus to the row whose screen the user leaves. */
export const watchBack = (history: RouterHistory): void => {
  if (isWatched) return
  isWatched = true
  let { pathname } = history.location
  history.subscribe(({ location, action }) => {
    const left = pathname
    ;({ pathname } = location)
    if (action.type === 'BACK' && left !== pathname) focusLinkTo(left)
  })
}
