import { Session } from 'node:inspector/promises'
import { setFlagsFromString } from 'node:v8'

/** First Node.js whose V8 supports these flags; an older one prints a warning. */
const firstMajor = 26

/**
 * Tunes V8 for processes that relay many bytes. V8 marks the whole heap after every 64 MiB of buffers,
 * although most of them are free by then. This tripled the CPU cost of receiving an upload. With these flags,
 * buffers count as part of the heap, which may grow by `maxGrowingFactor` before V8 marks it. Cheap scavenges still
 * collect young objects.
 */
export const expectManyBuffers = (maxGrowingFactor: number): void => {
  if (Number.parseInt(process.versions.node, 10) < firstMajor) return
  setFlagsFromString('--external-memory-accounted-in-global-limit')
  setFlagsFromString(`--external-memory-max-growing-factor=${maxGrowingFactor}`)
}

/** A start has ended by then, and its readers have their first answers. */
const startMs = 5_000

/**
 * Returns the memory of the start to the system: loading modules leaves 30 MB of garbage and of unused heap in each
 * process. V8 itself would keep them, because an idle process allocates too little for a collection.
 */
export const releaseMemoryOfStart = (): void => {
  setTimeout(() => {
    const session = new Session()
    session.connect()
    void session.post('HeapProfiler.collectGarbage').finally(() => session.disconnect())
  }, startMs).unref()
}
