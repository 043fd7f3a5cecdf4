import { browserStorage } from '../storage.ts'

const storageKey = 'zoetrope-passkey'

/** Browsers do not say whether there is a passkey, so the console remembers that one was used here. */
export const rememberPasskey = (): boolean => browserStorage.write(storageKey, 'used')

export const hasUsedPasskey = (): boolean => browserStorage.read(storageKey) !== null
