interface SafeStorage {
  readonly read: (key: string) => string | null
  /** Whether the value outlives the page. */
  readonly write: (key: string, value: string) => boolean
}

/** Browsers can block storage or limit its size. Then values last as long as the page. */
const createStorage = (open: () => Storage): SafeStorage => {
  const unkept = new Map<string, string>()
  return {
    read: (key) => {
      try {
        return unkept.get(key) ?? open().getItem(key)
      } catch {
        return null
      }
    },
    write: (key, value) => {
      try {
        open().setItem(key, value)
        unkept.delete(key)
        return true
      } catch {
        unkept.set(key, value)
        return false
      }
    },
  }
}

/** Shared by all tabs, and kept after the browser closes. */
export const browserStorage = createStorage(() => localStorage)
/** Belongs to this tab and survives reloads. */
export const tabStorage = createStorage(() => sessionStorage)
