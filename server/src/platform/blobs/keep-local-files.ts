import type { BlobStore, PlanRanges } from './blob-store.ts'

/** Covers the pause between two encode chunks of a file. */
const keepMs = 10_000

/** Keeps what others have fetched, without a download of its own. */
const noRanges: PlanRanges = async () => []

interface Kept {
  readonly key: string
  readonly letGo: () => void
  readonly gone: Promise<void>
}

/**
 * Wraps a blob store so that the last local copy stays for a while. The next chunk of a long source then does
 * not download it again. `release` drops the copy at once.
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
      const gone = blobs.withLocalFile(key, () => promise, noRanges).catch(() => {})
      kept = { key, letGo: resolve, gone }
    }
    clearTimeout(timer)
    timer = setTimeout(() => void release(), keepMs)
    timer.unref()
  }

  return {
    blobs: {
      ...blobs,
      withLocalFile: (key, use, plan) =>
        blobs.withLocalFile(
          key,
          async (path, isWhole) => {
            keep(key)
            try {
              return await use(path, isWhole)
            } finally {
              keep(key)
            }
          },
          plan,
        ),
    },
    release,
  }
}
