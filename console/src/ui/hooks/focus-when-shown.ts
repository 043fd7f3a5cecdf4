/** A ref for what appears in a dialog that is already open: the dialog does not place the focus again. */
export const focusWhenShown = (one: HTMLElement | null): void => one?.focus()
