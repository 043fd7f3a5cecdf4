import { tabStorage } from '../shell/storage.ts'

const key = 'zoetrope-tab'

const readTabId = (): string => {
  const kept = tabStorage.read(key)
  const id = kept ?? String(Math.random())
  tabStorage.write(key, id)
  return id
}

/** Survives reloads of this tab. */
export const tabId = readTabId()

/**
 * Runs `work` when no other tab works on this upload: immediately, or when that tab closes. Pages without
 * https have no Web Locks: there, each tab continues only its own uploads.
 */
export const whenMine = async (uploadId: string, work: () => Promise<void>): Promise<void> => {
  if ('locks' in navigator) await navigator.locks.request(`zoetrope-upload-${uploadId}`, work)
  else await work()
}

export const canBeMine = (upload: { readonly tabId: string }): boolean =>
  'locks' in navigator || upload.tabId === tabId
