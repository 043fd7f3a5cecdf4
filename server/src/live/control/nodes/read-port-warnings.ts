import type { Database } from '../../../platform/db/database.ts'
import type { TakenPort } from '../../../platform/db/tables/live.ts'
import { toTimestamp } from '../../../platform/base/timestamp.ts'
import { freshSeconds } from './call-node.ts'
import type { LiveHealth } from './live-status.ts'
import type { LiveStreamRow } from '../store/live-stream-store.ts'

/** Ports that the encoders of a stream connect to. */
const protocolsOf: Readonly<Partial<Record<LiveStreamRow['kind'], readonly TakenPort['protocol'][]>>> = {
  rtmp: ['rtmp', 'rtmps'],
  srt: ['srt'],
}

/**
 * Returns warnings about ports that live nodes cannot open. Without a publisher no node owns the stream, so
 * no node could report them for it.
 */
export const readPortWarnings = async (
  database: Pick<Database, 'sql'>,
  { kind }: Pick<LiveStreamRow, 'kind'>,
): Promise<LiveHealth['Warnings']> => {
  const nodes = await database.sql<{ ports: TakenPort[] }[]>`
    select taken_ports as ports from live_nodes
    where taken_ports != '[]' and seen_at > now() - make_interval(secs => ${freshSeconds})`
  const protocols = protocolsOf[kind] ?? []
  const taken = nodes.flatMap(({ ports }) => ports).filter(({ protocol }) => protocols.includes(protocol))
  const oldest = new Map<string, TakenPort>()
  for (const port of taken.toSorted((one, other) => other.sinceMs - one.sinceMs))
    oldest.set(`${port.protocol} ${port.port}`, port)
  return [...oldest.values()].map(({ protocol, port, sinceMs }) => ({
    Code: 'port_taken',
    Message: `A live node cannot open port ${port} for ${protocol.toUpperCase()}, most likely because another program has it. It tries again every few seconds.`,
    Since: toTimestamp(new Date(sinceMs)),
  }))
}
