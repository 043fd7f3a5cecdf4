import { useEffect, useRef, type RefObject } from 'react'

/**
 * Keeps the focus when a bar disappears with the button that the user pressed in it: moves it to where it was
 * before, or else to the heading of the screen.
 */
export const useReturnFocus = (isShown: boolean, bar: RefObject<HTMLElement | null>): void => {
  const before = useRef<HTMLElement | null>(null)
  const isInside = useRef(false)
  useEffect(() => {
    const remember = ({ target }: FocusEvent): void => {
      isInside.current = target instanceof Node && bar.current?.contains(target) === true
      if (!isInside.current && target instanceof HTMLElement && target !== document.body)
        before.current = target
    }
    document.addEventListener('focusin', remember)
    return () => document.removeEventListener('focusin', remember)
  }, [bar])
  useEffect(() => {
    if (isShown || !isInside.current) return
    isInside.current = false
    if (document.activeElement !== null && document.activeElement !== document.body) return
    const heading = document.querySelector<HTMLElement>('main h1')
    const place = before.current?.isConnected === true ? before.current : heading
    if (place !== null && place === heading) heading.tabIndex = -1
    place?.focus({ preventScroll: true })
  }, [isShown])
}
