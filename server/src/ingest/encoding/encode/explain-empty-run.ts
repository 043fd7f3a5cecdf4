import { MediaError } from '@zoetrope/ffmpeg'

/** On two cores, a source of 1080p has its first segments within half a second. */
const waitMs = 1_000

/**
 * Runs an encode of a source that may be unreadable, without a check before it. `explain` checks the source and throws the
 * reason. It runs when the encode has no segments after a second, and when the encode fails with a MediaError. Its error
 * ends the encode.
 */
export const explainEmptyRun = async (
  signal: AbortSignal,
  explain: (signal: AbortSignal) => Promise<void>,
  encode: (run: { readonly signal: AbortSignal; readonly onBegun: () => void }) => Promise<void>,
): Promise<void> => {
  const refused = new AbortController()
  const ended = new AbortController()
  let explanation: Promise<void> | null = null
  const explainOnce = (): Promise<void> => (explanation ??= explain(AbortSignal.any([signal, ended.signal])))
  const timer = setTimeout(() => void explainOnce().catch((error: unknown) => refused.abort(error)), waitMs)
  try {
    await encode({
      signal: AbortSignal.any([signal, refused.signal]),
      onBegun: () => clearTimeout(timer),
    })
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof MediaError) await explainOnce()
    throw error
  } finally {
    clearTimeout(timer)
    ended.abort()
  }
}
