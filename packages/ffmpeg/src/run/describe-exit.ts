import type { ProcessExit, ProcessLimits } from './guarded-process.ts'
import { explainFailure, MediaError } from './media-error.ts'

const crashSignals = new Set(['SIGSEGV', 'SIGABRT', 'SIGFPE', 'SIGBUS', 'SIGILL', 'SIGTRAP'])

/** Returns null when the program succeeded, otherwise a MediaError whose message states the reason. */
export const errorOfExit = (
  program: string,
  exit: ProcessExit,
  limits: ProcessLimits = {},
): MediaError | null => {
  if (exit.stoppedBecause) {
    return new MediaError(exit.stoppedBecause.code, exit.stoppedBecause.message, exit.stderrTail)
  }
  if (exit.exitCode === 0) return null
  if (exit.killSignal === 'SIGXCPU' || /received signal 24\b/.test(exit.stderrTail)) {
    const text = `Processing the file used more than the ${limits.cpuSeconds} seconds of processor time allowed.`
    return new MediaError('too_long', text, exit.stderrTail)
  }
  if (exit.killSignal === 'SIGXFSZ') {
    return new MediaError('too_large', 'The result is larger than allowed.', exit.stderrTail)
  }
  if (exit.killSignal !== null && crashSignals.has(exit.killSignal)) {
    // The file is the likely cause, since the same program processed other files. The job is retried anyway.
    return new MediaError(
      'failed',
      'The file is damaged in a way that makes its decoder fail.',
      exit.stderrTail,
    )
  }
  if (exit.killSignal !== null) {
    const text = `${program} was ended from outside (${exit.killSignal}); the machine may be short of memory.`
    return new MediaError('failed', text, exit.stderrTail)
  }
  return explainFailure(program, exit.stderrTail)
}
