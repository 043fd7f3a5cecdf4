import type { FastifyRequest } from 'fastify'
import type { LivePlayer } from '../../playback/live/live-players.ts'
import type { AdmittedReport } from './report-reader.ts'

/** Playing, seeking, rebuffering and waiting. */
const playing = 'pkrw'

/** What the newest lines say about the player of a live stream. A player that names no state is there, so it plays. */
export const livePlayerOf = (
  { headers }: FastifyRequest,
  address: string,
  { sessionId, lines }: Pick<AdmittedReport, 'sessionId' | 'lines'>,
): LivePlayer => {
  const newestFirst = lines.toSorted((one, other) =>
    one.sn !== null && other.sn !== null ? other.sn - one.sn : other.ts - one.ts,
  )
  const state = newestFirst.find(({ sta }) => sta !== null)?.sta ?? 'p'
  return {
    address,
    userAgent: headers['user-agent'],
    session: sessionId,
    isPlaying: playing.includes(state),
    latencyMs: newestFirst.find(({ latencyMs }) => latencyMs !== null)?.latencyMs ?? null,
  }
}
