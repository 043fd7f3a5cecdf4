import type { ProcessExit, ProcessLimits } from './guarded-process.ts'
import { messageOf } from '@zoetrope/vocabulary'
import { explainFailure, isMemoryRefused, MediaError, mediaMessage, notStarted } from './media-error.ts'

const crashSignals = new Set(['SIGSEGV', 'SIGABRT', 'SIGFPE', 'SIGBUS', 'SIGILL', 'SIGTRAP'])

/** Exit codes of programs that cannot start another one; the second is also that of the dynamic linker. */
const notStartedCodes: ReadonlySet<number | null> = new Set([126, 127])

/** Returns null when the program succeeded, otherwise a MediaError whose message states the reason. */
export const errorOfExit = (
  program: string,
  exit: ProcessExit,
  limits: ProcessLimits = {},
): MediaError | null => {
  if (exit.stoppedBecause) {
    return new MediaError(exit.stoppedBecause.code, messageOf(exit.stoppedBecause), exit.stderrTail)
  }
  if (exit.exitCode === 0) return null
  if (exit.killSignal === 'SIGXCPU' || /received signal 24\b/.test(exit.stderrTail)) {
    const message = mediaMessage('processing_used_too_much_cpu', { seconds: limits.cpuSeconds ?? 0 })
    return new MediaError('too_long', message, exit.stderrTail)
  }
  if (exit.killSignal === 'SIGXFSZ') {
    return new MediaError('too_large', mediaMessage('result_too_large'), exit.stderrTail)
  }
  if (exit.killSignal !== null && crashSignals.has(exit.killSignal)) {
    // Programs in C++ abort when they get no memory.
    if (isMemoryRefused(exit.stderrTail)) return explainFailure(program, exit.stderrTail)
    // The file is the likely cause, since the same program processed other files. The job is retried anyway.
    return new MediaError('failed', mediaMessage('file_crashes_decoder'), exit.stderrTail)
  }
  if (exit.killSignal !== null) {
    const message = mediaMessage('program_killed', { program, signal: exit.killSignal })
    return new MediaError('failed', message, exit.stderrTail)
  }
  if (notStartedCodes.has(exit.exitCode) || /^bwrap: execvp /m.test(exit.stderrTail))
    return notStarted(program, exit.stderrTail)
  return explainFailure(program, exit.stderrTail)
}
