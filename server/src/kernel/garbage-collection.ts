import { setFlagsFromString } from 'node:v8'

/** The first Node.js whose V8 has these flags; an older one would complain on the terminal. */
const firstMajor = 26

/**
 * For processes that pass on large amounts of bytes. V8 marks the whole heap after every 64 MiB of buffers, though nearly all of them are
 * free by then: receiving an upload cost three times the CPU. Here buffers count as a part of the heap, which may grow fourfold before it is
 * marked; what is young goes by cheap scavenges all the while.
 */
export const expectManyBuffers = (): void => {
  if (Number.parseInt(process.versions.node, 10) < firstMajor) return
  setFlagsFromString('--external-memory-accounted-in-global-limit')
  setFlagsFromString('--external-memory-max-growing-factor=4')
}
