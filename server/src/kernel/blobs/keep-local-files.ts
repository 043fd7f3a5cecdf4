import type { BlobStore } from './blob-store.ts'

/** From the end of one chunk of a file to the beginning of the next. */
const keepMs = 10_000

interface Kept {
  readonly key: string
  readonly letGo: () => void
  readonly gone: Promise<void>
}

/**
 * A blob store that keeps the local copy that was lent last for a while, so that one who comes back for it, as for each chunk of a long
 * source, does not fetch it from afar again. `release` gives it back at once.
 */
export const keepLocalFiles = (
  blobs: BlobStore,
): { readonly blobs: BlobStore; readonly release: () => Promise<void> } => {
  let kept: Kept | null = null
  let timer: NodeJS.Timeout | undefined

  const release = async (): Promise<void> => {
    clearTimeout(timer)
    const last = kept
    kept = null
    last?.letGo()
    await last?.gone
  }

  const keep = (key: string): void => {
    if (kept?.key !== key) {
      kept?.letGo()
      const { promise, resolve } = Promise.withResolvers<void>()
      const gone = blobs.withLocalFile(key, () => promise).catch(() => {})
      kept = { key, letGo: resolve, gone }
    }
    clearTimeout(timer)
    timer = setTimeout(() => void release(), keepMs)
    timer.unref()
  }

  return {
    blobs: {
      ...blobs,
      withLocalFile: (key, use) =>
        blobs.withLocalFile(key, async (path) => {
          keep(key)
          try {
            return await use(path)
          } finally {
            keep(key)
          }
        }),
    },
    release,
  }
}
