/** The control that had the focus last. */
let last: HTMLElement | null = null

const restore = (): void => {
  if (last?.isConnected === true && !last.matches(':disabled') && document.activeElement === document.body)
    last.focus({ preventScroll: true })
}

/**
 * A button is disabled while its request runs, and browsers take the focus from a disabled button. Returns it when the
 * button is enabled again.
 */
export const watchBusyFocus = (): void => {
  document.addEventListener('focusin', ({ target }) => {
    last = target instanceof HTMLElement ? target : null
  })
  // The user has pressed a place without a control.
  document.addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Node && last?.contains(target) === false) last = null
  })
  new MutationObserver((changes) => {
    if (changes.some(({ target }) => target === last)) restore()
  }).observe(document.body, { attributeFilter: ['disabled'], subtree: true })
}
