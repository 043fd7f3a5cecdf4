const key = 'zoetrope-tab'

const readTabId = (): string => {
  const kept = sessionStorage.getItem(key)
  const id = kept ?? String(Math.random())
  sessionStorage.setItem(key, id)
  return id
}

/** Stays over reloads of this tab. */
export const tabId = readTabId()

/**
 * Runs when no other tab works on this upload: at once, or when the tab that does is closed. Pages without https have no locks: there each
 * tab goes on with its own uploads alone.
 */
export const whenMine = async (uploadId: string, work: () => Promise<void>): Promise<void> => {
  if ('locks' in navigator) await navigator.locks.request(`zoetrope-upload-${uploadId}`, work)
  else await work()
}

export const canBeMine = (upload: { readonly tabId: string }): boolean =>
  'locks' in navigator || upload.tabId === tabId
