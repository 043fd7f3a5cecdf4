const storageKey = 'zoetrope-passkey'

/** Browsers do not say whether there is a passkey, so the console remembers that one was used here. */
export const rememberPasskey = (): void => {
  try {
    localStorage.setItem(storageKey, 'used')
  } catch {
    // Blocked or full. The sign-in must not fail with it.
  }
}

export const hasUsedPasskey = (): boolean => {
  try {
    return localStorage.getItem(storageKey) !== null
  } catch {
    return false
  }
}
