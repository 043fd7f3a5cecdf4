const storageKey = 'zoetrope-passkey'

/** Browsers do not say whether there is a passkey, so the console remembers that one was used here. */
export const rememberPasskey = (): void => localStorage.setItem(storageKey, 'used')

export const hasUsedPasskey = (): boolean => localStorage.getItem(storageKey) !== null
