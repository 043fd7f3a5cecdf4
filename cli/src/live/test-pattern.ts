import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

const framesPerSecond = 30

/** A moving picture with a clock and a beep each second, to check that sound and picture are in sync. */
const patternArguments = (target: string, seconds: number | null): string[] => [
  ...['-nostdin', '-v', 'error', '-re'],
  ...['-f', 'lavfi', '-i', `testsrc2=size=1280x720:rate=${framesPerSecond}`],
  ...['-f', 'lavfi', '-i', 'sine=frequency=220:beep_factor=4:sample_rate=48000'],
  ...(seconds === null ? [] : ['-t', String(seconds)]),
  ...['-c:v', 'libx264', '-preset', 'veryfast', '-tune', 'zerolatency', '-pix_fmt', 'yuv420p'],
  ...['-b:v', '2000k', '-maxrate', '2000k', '-bufsize', '2000k', '-g', String(2 * framesPerSecond)],
  ...['-c:a', 'aac', '-b:a', '128k', '-ac', '2'],
  ...['-f', 'flv', target],
]

export interface TestPattern {
  readonly ended: Promise<number | null>
  readonly complaints: () => string
  readonly stop: () => void
}

/** Starts ffmpeg, which publishes to this address until the time is over or it is stopped. */
export const startTestPattern = async (target: string, seconds: number | null): Promise<TestPattern> => {
  const child: ChildProcess = spawn('ffmpeg', patternArguments(target, seconds), {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(child, 'exit') as Promise<[number | null]>
  exited.catch(() => {})
  let said = ''
  child.stderr?.on('data', (part: Buffer) => (said = `${said}${String(part)}`.slice(-2_000)))
  try {
    await once(child, 'spawn')
  } catch (error) {
    throw new Error(
      `Cannot start ffmpeg (${(error as NodeJS.ErrnoException).code}). Check that it is installed.`,
      {
        cause: error,
      },
    )
  }
  return {
    ended: exited.then(([code]) => code),
    complaints: () => said.trim(),
    stop: () => void child.kill('SIGINT'),
  }
}
