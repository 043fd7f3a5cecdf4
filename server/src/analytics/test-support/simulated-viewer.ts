import { request, type Answer } from '../../../test/support/test-server.ts'

const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

export interface SimulatedView {
  readonly sid?: string
  /** What the player measured; the wait itself takes a second. */
  readonly startupMs: number
  /** At most 30, because the viewer sends a single report. */
  readonly playedSeconds: number
  readonly rebuffers?: number
  readonly bitRateKbps?: number
  readonly scalePercent?: number
  readonly latencyMs?: number
  /** `failure` = before the first frame, `error` = at the end, `exit` = left before the first frame. */
  readonly end?: 'pause' | 'quit' | 'failure' | 'error' | 'exit'
  readonly errorCode?: string
  /** How far the clock of the player is ahead. */
  readonly skewMs?: number
}

const rebufferSeconds = 0.5

/** Lines of a player that waits for a second and plays from the start of the file. */
export const linesOf = ({
  sid = crypto.randomUUID(),
  startupMs,
  playedSeconds,
  rebuffers = 0,
  bitRateKbps,
  scalePercent,
  latencyMs,
  end = 'pause',
  errorCode,
  skewMs = 0,
}: SimulatedView): string[] => {
  const keys = [
    ...(bitRateKbps === undefined ? [] : [`br=(${bitRateKbps})`]),
    ...(scalePercent === undefined ? [] : [`com.zoetrope-scale=${scalePercent}`]),
    ...(latencyMs === undefined ? [] : [`ltc=${latencyMs}`]),
    ...(errorCode === undefined ? [] : [`ec=("${errorCode}")`]),
  ]
  const steps: [atSeconds: number, state: string, playhead: number][] = [[0, 's', 0]]
  if (end === 'failure') steps.push([1, 'f', 0])
  else if (end === 'exit') steps.push([1, 'q', 0])
  else {
    let [at, playhead] = [1, 0]
    const partSeconds = playedSeconds / (rebuffers + 1)
    for (let part = 0; part <= rebuffers; part++) {
      steps.push([at, 'p', playhead])
      at += partSeconds
      playhead += partSeconds
      if (part < rebuffers) steps.push([at, 'r', playhead])
      if (part < rebuffers) at += rebufferSeconds
    }
    steps.push([at, end === 'quit' ? 'q' : end === 'error' ? 'f' : 'a', playhead])
  }
  const startMs = Date.now() + skewMs - (steps.at(-1)?.[0] ?? 0) * 1_000
  return steps.map(([at, state, playhead], sn) =>
    [
      ...[...keys, 'e=ps', ...(state === 'p' && sn === 1 ? [`msd=${startupMs}`] : [])],
      ...[`pt=${Math.round(playhead * 1_000)}`, `sid="${sid}"`, `sn=${sn}`, `sta=${state}`],
      `ts=${Math.round(startMs + at * 1_000)}`,
    ].join(),
  )
}

export const rebufferedMs = ({ rebuffers = 0 }: SimulatedView): number => rebuffers * rebufferSeconds * 1_000

/** Sends lines as one request, from an address of its own if the server trusts this proxy. */
export const sendLines = (
  url: string,
  lines: readonly string[],
  { address, site }: { readonly address?: string; readonly site?: string } = {},
): Promise<Answer> =>
  request(url, 'POST', {
    body: lines.join('\n'),
    headers: {
      'content-type': 'application/cmcd',
      'user-agent': browser,
      ...(address !== undefined && { 'x-forwarded-for': address }),
      ...(site !== undefined && { origin: site }),
    },
  })

/** Addresses of different networks, because those of one share their limits. */
export const addressOf = (index: number): string =>
  `203.${Math.floor(index / 250) % 250}.${index % 250}.${1 + (index % 200)}`
