import { isAbsolute } from 'node:path'
import type { Confinement } from './confinement.ts'

const networkAddress = /^(?:srt|https?):/

/**
 * Returns what a run of ffmpeg may reach: the files that its `-i` arguments name, the given output files, and the network only when an input
 * is a network address.
 */
export const confinementOf = (args: readonly string[], outputFiles: readonly string[]): Confinement => {
  const inputs = args.filter((_, index) => args[index - 1] === '-i')
  return {
    readable: inputs
      .map((input) => input.replace(/^file:/, ''))
      // Names in the work folder are relative.
      .filter((input) => isAbsolute(input)),
    writable: outputFiles,
    network: inputs.some((input) => networkAddress.test(input)),
  }
}
