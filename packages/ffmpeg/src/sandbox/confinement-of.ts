import { isAbsolute } from 'node:path'
import type { Confinement } from './confinement.ts'

const networkAddress = /^srt:/

/**
 * Returns what a run of ffmpeg may reach: the files that its `-i` arguments name, the given folder and output files, and the network only when an input
 * is a network address.
 */
export const confinementOf = (
  args: readonly string[],
  { inputFolder, outputFiles = [] }: { inputFolder?: string | undefined; outputFiles?: readonly string[] },
): Confinement => {
  const inputs = args.filter((_, index) => args[index - 1] === '-i')
  return {
    readable: [
      ...inputs
        .map((input) => input.replace(/^file:/, ''))
        // Names in the work folder are relative.
        .filter((input) => isAbsolute(input)),
      ...(inputFolder === undefined ? [] : [inputFolder]),
    ],
    writable: outputFiles,
    network: inputs.some((input) => networkAddress.test(input)),
  }
}
