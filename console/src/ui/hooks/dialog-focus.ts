const checkMs = 50

const dialogs = '.mantine-Modal-content, .mantine-Drawer-content'
/** Mantine closes no dialog on the Escape of an element with this attribute. */
const ownEscape = 'data-mantine-stop-propagation'

/** What got the attribute here. Mantine itself gives it to a field whose list is open. */
const marked = new Set<Element>()

const countDialogs = (): number => document.querySelectorAll(dialogs).length

/** The last dialog closes on Escape like any other. The focus may return to it before the one in front is gone. */
const unmark = (): void => {
  for (const one of marked) one.removeAttribute(ownEscape)
  marked.clear()
}

/** The control that had the focus last, outside of menus and dialogs. */
let opener: HTMLElement | null = null

/** Returns the focus after the dialog, unless the dialog has done so. */
const returnAfter = (dialog: Element): void => {
  const timer = setInterval(() => {
    if (dialog.isConnected) return
    clearInterval(timer)
    if (countDialogs() < 2) unmark()
    if (document.activeElement === document.body && opener?.isConnected === true)
      opener.focus({ preventScroll: true })
  }, checkMs)
}

/**
 * A dialog that is open when it mounts does not return the focus, and one that was opened by a menu returns it to an
 * item that is gone: they return it to the control of the screen. Of two dialogs, Escape closes the one in front, and
 * the other keeps its input.
 */
export const watchDialogFocus = (): void => {
  let entered: Element | null = null
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return
    const dialog = target.closest(dialogs)
    if (dialog === null && target.closest('[role=menu], [role=listbox]') === null) opener = target
    if (dialog !== null && countDialogs() > 1) {
      target.setAttribute(ownEscape, 'true')
      marked.add(target)
    }
    if (dialog === null || dialog === entered) return
    entered = dialog
    returnAfter(dialog)
  })
  document.addEventListener('keydown', ({ key, isComposing, target }) => {
    if (key !== 'Escape' || isComposing || !(target instanceof Element) || !marked.has(target)) return
    // Escape closes an open list first.
    if (target.ariaExpanded === 'true') return
    // The sign-in form has no such button.
    target.closest(dialogs)?.querySelector<HTMLElement>('header button')?.click()
  })
}
