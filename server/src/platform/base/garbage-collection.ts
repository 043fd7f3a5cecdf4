import { setFlagsFromString } from 'node:v8'

/** First Node.js whose V8 supports these flags; an older one prints a warning. */
const firstMajor = 26

/**
 * Tunes V8 for processes that relay many bytes. V8 marks the whole heap after every 64 MiB of buffers,
 * although most of them are free by then. This tripled the CPU cost of receiving an upload. With these flags,
 * buffers count as part of the heap, which may grow fourfold before V8 marks it. Cheap scavenges still
 * collect young objects.
 */
export const expectManyBuffers = (): void => {
  if (Number.parseInt(process.versions.node, 10) < firstMajor) return
  setFlagsFromString('--external-memory-accounted-in-global-limit')
  setFlagsFromString('--external-memory-max-growing-factor=4')
}
