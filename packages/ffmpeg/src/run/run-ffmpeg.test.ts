import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { makeMedia, testPicture, useFolder } from '../../test-support/sample-media.ts'
import type { MediaError } from './media-error.ts'
import { runFfmpeg, type FfmpegRun, type RunOptions, type RunProgress } from './run-ffmpeg.ts'

const inFolder = useFolder()

const options = (changes: Partial<RunOptions> = {}): RunOptions => ({
  outputPipes: 0,
  workFolder: inFolder('.'),
  ...changes,
})

const endlessInput = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=30']
const toRawPipe = ['-f', 'rawvideo', 'pipe:3']

const failureOf = async (run: FfmpegRun): Promise<MediaError> => {
  try {
    await run.done
  } catch (error) {
    return error as MediaError
  }
  throw new Error('The run was expected to fail.')
}

/** Returns the process of ffmpeg itself: a sandbox puts others above it. */
const innermost = async (processId: number | undefined): Promise<number> => {
  let inner = processId ?? 0
  for (;;) {
    const children = await readFile(`/proc/${inner}/task/${inner}/children`, 'utf8')
    if (children.trim() === '') return inner
    inner = Number(children.trim().split(' ')[0])
  }
}

const isAlive = (processId: number | undefined): boolean => {
  try {
    return process.kill(processId ?? 0, 0)
  } catch {
    return false
  }
}

test('reports progress, pipe data and CPU seconds', async () => {
  const reports: RunProgress[] = []
  const args = [
    '-f',
    'lavfi',
    '-i',
    'testsrc2=size=320x180:rate=30:duration=2',
    '-pix_fmt',
    'gray',
    ...toRawPipe,
  ]
  const run = runFfmpeg(args, options({ outputPipes: 1, onProgress: (progress) => reports.push(progress) }))
  const [bytes, result] = await Promise.all([...run.pipes.map((pipe) => buffer(pipe)), run.done])
  expect((bytes as Buffer).length).toBe(320 * 180 * 60)
  expect(result).toMatchObject({ cpuSeconds: expect.any(Number), stderrTail: '' })
  expect(reports.at(-1)?.outTimeSeconds).toBeCloseTo(2, 1)
})

test('ends the process on abort before the run settles', async () => {
  const controller = new AbortController()
  const run = runFfmpeg(
    [...endlessInput, ...toRawPipe],
    options({ outputPipes: 1, signal: controller.signal }),
  )
  const [pipe] = run.pipes
  if (!pipe) throw new Error('The run has no pipe.')
  await once(pipe, 'readable')
  expect(isAlive(run.processId)).toBe(true)
  controller.abort()
  expect(await failureOf(run)).toMatchObject({ code: 'aborted', message: 'The work was cancelled.' })
  expect(isAlive(run.processId)).toBe(false)
  expect(pipe.errored).toMatchObject({ code: 'aborted' })
})

test('starts nothing when the signal is already aborted', async () => {
  const run = runFfmpeg([...endlessInput, '-f', 'null', '-'], options({ signal: AbortSignal.abort() }))
  expect(await failureOf(run)).toMatchObject({ code: 'aborted' })
  expect(isAlive(run.processId)).toBe(false)
})

test('stops a run without progress as stalled', async () => {
  // The test does not read the pipe, so ffmpeg blocks.
  const run = runFfmpeg(
    [...endlessInput, ...toRawPipe],
    options({ outputPipes: 1, limits: { stallSeconds: 1 } }),
  )
  expect(await failureOf(run)).toMatchObject({ code: 'stalled' })
  expect(isAlive(run.processId)).toBe(false)
})

test.runIf(process.platform === 'linux')('stops a suspended process as stalled', async () => {
  const moved = Promise.withResolvers<void>()
  // On a busy machine, the first progress takes seconds.
  const run = runFfmpeg(
    [...endlessInput, '-f', 'null', '-'],
    options({ limits: { stallSeconds: 5 }, onProgress: () => moved.resolve() }),
  )
  await moved.promise
  process.kill(await innermost(run.processId), 'SIGSTOP')
  expect(await failureOf(run)).toMatchObject({ code: 'stalled' })
  expect(isAlive(run.processId)).toBe(false)
})

test.runIf(process.platform === 'linux')(
  'blames the file when the process crashes, with an error that allows a retry',
  async () => {
    const run = runFfmpeg(['-re', ...endlessInput, ...toRawPipe], options({ outputPipes: 1 }))
    await once(run.pipes[0]!, 'readable')
    process.kill(await innermost(run.processId), 'SIGSEGV')
    expect(await failureOf(run)).toMatchObject({
      code: 'failed',
      message: 'The file is damaged in a way that makes its decoder fail.',
    })
  },
)

test('stops endless media at its limit', async () => {
  const run = runFfmpeg([...endlessInput, '-f', 'null', '-'], options({ limits: { mediaSeconds: 5 } }))
  expect(await failureOf(run)).toMatchObject({ code: 'too_long' })
})

test('does not report a stall while progress is steady', async () => {
  const args = ['-re', '-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=30:duration=8', '-f', 'null', '-']
  await runFfmpeg(args, options({ limits: { stallSeconds: 5 } })).done
})

test('does not report a stall while ffmpeg repeats the last frame without progress reports', async () => {
  const one = 'testsrc2=size=160x90:rate=1/300:duration=300'
  const path = await makeMedia(inFolder('standing.mp4'), '-f', 'lavfi', '-i', one, '-c:v', 'mpeg4')
  const run = runFfmpeg(
    ['-i', path, '-vf', 'fps=2', ...toRawPipe],
    options({ outputPipes: 1, limits: { stallSeconds: 3 } }),
  )
  let size = 0
  // Reads as slowly as the encoder of a large frame.
  for await (const chunk of run.pipes[0]!) {
    size += (chunk as Buffer).length
    await new Promise((resolve) => setTimeout(resolve, (chunk as Buffer).length / 2_000))
  }
  await run.done
  expect(size / (160 * 90 * 1.5)).toBeGreaterThan(590)
})

test.each([
  ['wall time', { wallSeconds: 0.5 }, /longer than the 0\.5 seconds/],
  ['processor time', { cpuSeconds: 1 }, /more than the 1 seconds of processor time/],
])('stops a run at its limit of %s', async (_name, limits, message) => {
  const run = runFfmpeg([...endlessInput, '-f', 'null', '-'], options({ limits }))
  expect(await failureOf(run)).toMatchObject({ code: 'too_long', message: expect.stringMatching(message) })
})

test('ends the run when a file exceeds its size limit', async () => {
  const args = [...endlessInput, '-f', 'rawvideo', inFolder('large.raw')]
  const run = runFfmpeg(args, options({ limits: { outputFileBytes: 1_000_000 } }))
  expect(await failureOf(run)).toMatchObject({ code: 'too_large' })
})

test('rejects with a message and the output of ffmpeg', async () => {
  const path = await makeMedia(inFolder('ok.mp4'), ...testPicture('160x90', 0.5), '-c:v', 'mpeg4')
  const run = runFfmpeg(['-i', path, '-map', '0:v:5', '-f', 'null', '-'], options())
  const error = await failureOf(run)
  expect(error).toMatchObject({
    code: 'failed',
    message: 'The file could not be read to its end by ffmpeg; it may be damaged.',
  })
  expect(error.details).toContain('0:v:5')
  expect(error.details.length).toBeLessThanOrEqual(8 * 1024)
})

const anySource = ['-f', 'lavfi', '-i', 'testsrc=duration=1']

test.each([
  ['an option', ['-nosuchoption', '1', ...anySource]],
  ['a filter', [...anySource, '-vf', 'nosuchfilter']],
  [
    'a filter of a graph',
    [...anySource, '-filter_complex', '[0:0]nosuchfilter=25/1:a=0,trim=end=3[v]', '-map', '[v]'],
  ],
  ['an encoder', [...anySource, '-c:v', 'nosuchencoder']],
])('blames the program, not the file, when it lacks %s', async (_what, args) => {
  const run = runFfmpeg([...args, '-f', 'null', '-'], options())
  expect(await failureOf(run)).toMatchObject({ code: 'program_unusable', reason: 'program_unsuitable' })
})

test('blames the program when it is missing', async () => {
  const run = runFfmpeg(['-version'], options({ ffmpegPath: inFolder('no-such-ffmpeg') }))
  expect(await failureOf(run)).toMatchObject({
    code: 'program_unusable',
    message: 'ffmpeg does not start on this server. The operator can find the cause with ./zoetrope doctor.',
  })
})

test('rejects with a message when the work folder is missing', async () => {
  const run = runFfmpeg(['-version'], options({ workFolder: inFolder('no-such-folder') }))
  expect(await failureOf(run)).toMatchObject({ code: 'program_unusable' })
})

test.runIf(process.platform === 'linux')(
  'runs ffmpeg without the environment and at lower priority',
  async () => {
    const run = runFfmpeg([...endlessInput, ...toRawPipe], options({ outputPipes: 1 }))
    const [pipe] = run.pipes
    if (!pipe) throw new Error('The run has no pipe.')
    await once(pipe, 'readable')
    const processId = await innermost(run.processId)
    const environment = await readFile(`/proc/${processId}/environ`, 'utf8')
    const stat = await readFile(`/proc/${processId}/stat`, 'utf8')
    expect(
      environment
        .split('\0')
        .filter(Boolean)
        .map((entry) => entry.split('=')[0])
        // bubblewrap sets it when it changes the folder.
        .filter((name) => name !== 'PWD'),
    ).toEqual(['PATH', 'LC_ALL', 'MALLOC_ARENA_MAX'])
    // proc(5): field 19 is the nice value, the 17th after the name in parentheses.
    expect(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]).toBe('10')
    // sched(7): otherwise the nice value would not count beside other sessions.
    const session = await readFile(`/proc/${processId}/autogroup`, 'utf8').catch(() => null)
    if (session !== null) expect(session.trim()).toMatch(/ nice 10$/)
    pipe.destroy()
    await failureOf(run)
  },
)

test.runIf(process.platform === 'linux')(
  'ends ffmpeg when the server process is killed with SIGKILL, even without pipes',
  async () => {
    const script = `
    import { runFfmpeg } from ${JSON.stringify(new URL('./run-ffmpeg.ts', import.meta.url).href)}
    let isFirst = true
    const run = runFfmpeg(${JSON.stringify(['-re', ...endlessInput, '-f', 'null', '-'])}, {
      outputPipes: 0,
      workFolder: ${JSON.stringify(inFolder('.'))},
      onProgress: () => { if (isFirst) console.log(run.processId); isFirst = false },
    })`
    const parent = spawn(process.execPath, ['--input-type=module-typescript', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string]
    const childId = Number(line)
    expect(isAlive(childId)).toBe(true)
    parent.kill('SIGKILL')
    await expect.poll(() => isAlive(childId)).toBe(false)
  },
)
