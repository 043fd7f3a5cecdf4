import { useEffect, useRef, type RefObject } from 'react'

/** Menus and dialogs of the bar close a moment after it, and rows that it deletes disappear. */
const patienceMs = 2_000
const checkMs = 50

const main = (): HTMLElement | null => document.querySelector('main')

/** Ready for the focus. */
export const headingOfScreen = (): HTMLElement | null => {
  const heading = main()?.querySelector<HTMLElement>('h1') ?? null
  if (heading !== null && !heading.hasAttribute('tabindex')) heading.tabIndex = -1
  return heading
}

/** Touch screens would show their keyboard for a field. */
const isTouched = (): boolean => matchMedia('(pointer: coarse)').matches

/**
 * Keeps the focus when a bar disappears with the button that the user pressed in it: moves it to where it was
 * before, or else to the heading of the screen.
 */
export const useReturnFocus = (isShown: boolean, bar: RefObject<HTMLElement | null>): void => {
  const before = useRef<HTMLElement | null>(null)
  /** Whether the focus is in the bar, or in a menu or dialog in front of the screen. */
  const isAway = useRef(false)
  useEffect(() => {
    const remember = ({ target }: FocusEvent): void => {
      if (!(target instanceof HTMLElement)) return
      isAway.current = bar.current?.contains(target) === true || main()?.contains(target) === false
      if (!isAway.current) before.current = target
    }
    document.addEventListener('focusin', remember)
    return () => document.removeEventListener('focusin', remember)
  }, [bar])
  useEffect(() => {
    if (isShown || !isAway.current) return undefined
    const untilMs = performance.now() + patienceMs
    const stop = (): void => clearInterval(timer)
    const restore = (): void => {
      const { activeElement } = document
      const isLost = activeElement === null || activeElement === document.body
      if (isLost) {
        const place =
          before.current?.isConnected === true && !isTouched() ? before.current : headingOfScreen()
        place?.focus({ preventScroll: true })
      }
      const isElsewhere = main()?.contains(activeElement) === true && activeElement !== before.current
      if (isElsewhere || performance.now() > untilMs) stop()
    }
    const timer = setInterval(restore, checkMs)
    restore()
    return stop
  }, [isShown])
}
