/** Byte queue for a process that reads at its own pace. */
export interface FrameFeed extends AsyncIterable<Buffer> {
  readonly push: (bytes: Buffer) => void
  readonly end: () => void
  readonly waitingBytes: () => number
}

export const createFrameFeed = (): FrameFeed => {
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let hasEnded = false
  let more = Promise.withResolvers<void>()
  const wake = () => {
    more.resolve()
    more = Promise.withResolvers()
  }
  const read = async function* () {
    while (waiting.length > 0 || !hasEnded) {
      if (waiting.length === 0) await more.promise
      const taken = waiting
      waiting = []
      for (const bytes of taken) {
        yield bytes
        waitingBytes -= bytes.length
      }
    }
  }
  return {
    push: (bytes) => {
      if (hasEnded) return
      waiting.push(bytes)
      waitingBytes += bytes.length
      wake()
    },
    end: () => {
      hasEnded = true
      wake()
    },
    waitingBytes: () => waitingBytes,
    [Symbol.asyncIterator]: read,
  }
}
