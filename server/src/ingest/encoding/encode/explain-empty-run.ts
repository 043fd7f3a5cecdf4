import { MediaError } from '@zoetrope/ffmpeg'
import { setTimeout as delay } from 'node:timers/promises'

/** A source that plays has its first segments within half a second on two cores. */
const waitMs = 1_000

/**
 * Runs an encode whose source may turn out to be unreadable. `explain` throws the reason; it runs when the encode has not
 * begun to write after a second, which then ends, and when the encode fails. So the encode of a sound source does not wait for it.
 */
export const explainEmptyRun = async (
  signal: AbortSignal,
  explain: (signal: AbortSignal) => Promise<void>,
  encode: (run: { readonly signal: AbortSignal; readonly onBegun: () => void }) => Promise<void>,
): Promise<void> => {
  const begun = new AbortController()
  const refused = new AbortController()
  const ended = new AbortController()
  let explanation: Promise<void> | null = null
  const explainOnce = (): Promise<void> => (explanation ??= explain(AbortSignal.any([signal, ended.signal])))
  const late = delay(waitMs, null, { signal: AbortSignal.any([begun.signal, ended.signal]) }).then(
    () => explainOnce().catch((error: unknown) => refused.abort(error)),
    () => {},
  )
  try {
    await encode({ signal: AbortSignal.any([signal, refused.signal]), onBegun: () => begun.abort() })
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof MediaError) await explainOnce()
    throw error
  } finally {
    ended.abort()
    await late
  }
}
