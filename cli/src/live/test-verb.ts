import { setTimeout as delay } from 'node:timers/promises'
import type { Command, CommandContext } from '../command.ts'
import { numberOption, requiredIdOption, stringOption, textOption } from '../options.ts'
import { openRelay } from './relay.ts'
import { startTestPattern } from './test-pattern.ts'

const pollMs = 500
const longestSeconds = 24 * 3_600

interface Ingest {
  readonly serverUri: string
  readonly streamKey: string
}

const ingestOf = async ({ client }: CommandContext, projectId: number): Promise<Ingest> => {
  const { StreamInType, StreamInConnection: connection, IsEnabled } = await client.live.ingest(projectId)
  if (!IsEnabled)
    throw new Error(
      `The live stream is disabled. Enable it: ./zoetrope live update --project ${projectId} --is-enabled`,
    )
  if (connection.ServerURI === null)
    throw new Error(
      `The stream expects ${StreamInType}, but the test uses RTMP. Change it: ./zoetrope live update --project ${projectId} --stream-in-type rtmp`,
    )
  if (connection.StreamName === null)
    throw new Error('This API key cannot read the stream key. It needs the scope live:keys.')
  return { serverUri: connection.ServerURI, streamKey: connection.StreamName }
}

const playerOf = async ({ client }: CommandContext, projectId: number): Promise<string> => {
  const [output, { ReleaseStatus }] = await Promise.all([
    client.live.output(projectId),
    client.live.ingest(projectId),
  ])
  // Viewers cannot see an unpublished stream, but its tester should.
  return ReleaseStatus === 'published' ? output.EmbedCodes.PlayerURL : output.Preview.PlayerURL
}

/** Prints when viewers can see the stream, unless the test ends first. */
const announceOnline = async (
  { client, output }: CommandContext,
  projectId: number,
  signal: AbortSignal,
): Promise<void> => {
  while (!signal.aborted) {
    const { State } = await client.live.status(projectId).catch(() => ({ State: 'unknown' }))
    if (State === 'online') return output.entry({ State: 'online' }, 'Online: viewers can watch now.')
    await delay(pollMs, undefined, { signal }).catch(() => {})
  }
}

const test = async (context: CommandContext): Promise<void> => {
  const { output, options } = context
  const projectId = requiredIdOption(options, 'project')
  const seconds =
    stringOption(options, 'seconds') === undefined
      ? null
      : numberOption(options, 'seconds', { from: 1, to: longestSeconds, otherwise: 1 })
  const [ingest, player] = [await ingestOf(context, projectId), await playerOf(context, projectId)]
  const relay = await openRelay(ingest.serverUri, ingest.streamKey)
  const over = new AbortController()
  try {
    const pattern = await startTestPattern(relay.url, seconds)
    const stop = (): void => pattern.stop()
    process.once('SIGINT', stop)
    process.once('SIGTERM', stop)
    const until = seconds === null ? 'until Ctrl-C' : `for ${seconds} s`
    output.entry(
      { State: 'publishing', PlayerURL: player },
      `Publishing a test pattern to project ${projectId}, ${until}.\nPlayer ${player}`,
    )
    const announced = announceOnline(context, projectId, over.signal)
    const hungUp: string[] = []
    void relay.ended.then((reason) => {
      hungUp.push(reason)
      pattern.stop()
    })
    const code = await pattern.ended
    over.abort()
    await announced
    if (hungUp[0] !== undefined) throw new Error(`The ingest ended the stream: ${hungUp[0]}`)
    // ffmpeg exits with 255 when a signal stopped it.
    if (code !== 0 && code !== 255) throw new Error(`ffmpeg failed: ${pattern.complaints()}`)
    output.entry({ State: 'ended' }, 'The test has ended.')
  } finally {
    over.abort()
    await relay.close()
  }
}

export const testVerb: Command = {
  operations: ['getLiveIngest', 'getLiveOutput', 'getLiveStatus'],
  usage: '--project <id> [--seconds <n>]',
  summary: 'Publish a test pattern with a beep until Ctrl-C',
  details:
    'ffmpeg generates a moving picture with a clock and sends it to the ingest by RTMP, like any encoder.\n\n  ./zoetrope live test --project 2 --seconds 60',
  positionals: [],
  options: {
    project: textOption('Id of the project'),
    seconds: textOption('duration; default: until Ctrl-C'),
  },
  required: ['project'],
  run: test,
}
