import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase } from '../../src/platform/db/database.ts'
import { longestWaitMs, waitFor } from '../support/wait-for.ts'
import type { WebhookReceiver } from '../support/webhook-receiver.ts'
import type { Installation } from './installation.ts'
import { compareMedia, listLeftovers } from './media-inventory.ts'

export interface LiveCensus {
  readonly events: number
  readonly deliveries: number
  readonly recordings: number
  readonly broadcasts: number
  readonly returns: ReadonlyMap<number | null, number>
  readonly faults: readonly string[]
}

export interface LiveEvent {
  readonly id: number
  readonly project_id: number | null
  readonly name: string
  readonly sequence: number
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly record: any
}

/** States allowed before each event, and the state after it. */
const changes: Readonly<Record<string, readonly [from: readonly string[], to: string]>> = {
  'live.connected': [['offline'], 'connected'],
  'live.started': [['connected'], 'online'],
  'live.disconnected': [['online'], 'reconnecting'],
  'live.reconnected': [['reconnecting'], 'online'],
  'live.ended': [['online', 'reconnecting'], 'offline'],
}

/**
 * Allowed error codes: a publisher or node may leave before the first frame. No test publishes twice or with
 * a wrong key.
 */
const mayFailAs = ['left', 'lost', 'node_lost']

/**
 * Sequence numbers must have no gap, states must follow each other, no publisher may be refused, and each
 * recording must start and finish once.
 */
export const checkStream = (projectId: number | null, events: readonly LiveEvent[]): string[] => {
  const faults: string[] = []
  const recordings = new Map<number, string[]>()
  let state = 'offline'
  for (const [index, { name, sequence, record }] of events.entries()) {
    if (sequence !== index + 1) faults.push(`project ${projectId}: event ${index + 1} has number ${sequence}`)
    const [from, to] = changes[name] ?? [[state], record.State]
    if (!from.includes(state)) faults.push(`project ${projectId}: ${name} in the state ${state}`)
    if (record.State !== to) faults.push(`project ${projectId}: ${name} shows the state ${record.State}`)
    state = to
    const failure = record.Failure?.Code
    if (failure !== undefined && !mayFailAs.includes(failure))
      faults.push(`project ${projectId}: ${name} as ${failure}: ${record.Failure.Message}`)
    if (name.startsWith('recording.')) {
      const { Id } = record.Recording
      recordings.set(Id, [...(recordings.get(Id) ?? []), name])
    }
  }
  if (state !== 'offline') faults.push(`project ${projectId} is ${state} to the end`)
  for (const [id, names] of recordings)
    if (names.join() !== 'recording.started,recording.finished')
      faults.push(`project ${projectId}: recording ${id} has the events ${names.join()}`)
  return faults
}

/** Each event must arrive once, in the order of its stream. */
const checkDeliveries = async (
  events: readonly LiveEvent[],
  { received }: WebhookReceiver,
  hookId: number,
): Promise<string[]> => {
  const idOf = ({ id }: LiveEvent): string => `evt_${id}_${hookId}`
  const arrived = () => received.map(({ headers }) => String(headers['webhook-id']))
  const lost = await waitFor(
    async () => {
      const there = new Set(arrived())
      return events.filter((event) => !there.has(idOf(event)))
    },
    (missing) => missing.length === 0,
  ).catch((error: unknown) => [error])
  const faults = lost.length === 0 ? [] : [`deliveries are missing: ${String(lost[0])}`]
  const ids = arrived()
  if (new Set(ids).size < ids.length) faults.push(`${ids.length - new Set(ids).size} deliveries came twice`)
  const last = new Map<number, number>()
  for (const { event } of received) {
    const { ProjectId } = event.Live
    if (event.Sequence <= (last.get(ProjectId) ?? 0))
      faults.push(`project ${ProjectId}: event ${event.Sequence} was delivered behind ${last.get(ProjectId)}`)
    last.set(ProjectId, event.Sequence)
  }
  return faults
}

const filesBelow = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}

/**
 * Reports losses, duplicates, wrong order and leftovers, after all publishers have ended their broadcasts.
 */
export const takeCensus = async (
  installation: Installation,
  receiver: WebhookReceiver,
  hookId: number,
): Promise<LiveCensus> => {
  const database = openDatabase(await installation.connection(), { maxConnections: 1 })
  try {
    const { kysely } = database
    const readOpen = () =>
      kysely
        .selectFrom('live_recordings')
        .selectAll()
        .where('state', 'in', ['recording', 'finishing'])
        .execute()
    const open = await waitFor(readOpen, (rows) => rows.length === 0).catch(readOpen)
    const recordings = await kysely.selectFrom('live_recordings').selectAll().execute()
    const filesOf = () =>
      kysely
        .selectFrom('media_files')
        .select(['id', 'state'])
        .where('source_kind', '=', 'recording')
        .execute()
    const isDone = (rows: readonly { state: string }[]) =>
      rows.every(({ state }) => ['finished', 'degraded', 'failed'].includes(state))
    const files = await waitFor(filesOf, isDone, longestWaitMs, 200).catch(filesOf)
    const rows = await kysely
      .selectFrom('events')
      .select(['id', 'project_id', 'name', 'sequence', 'record'])
      .where('subject', '=', 'Live')
      .orderBy('id')
      .execute()
    const events = rows.map((row): LiveEvent => ({ ...row, record: JSON.parse(row.record) }))
    const byProject = Map.groupBy(events, ({ project_id }) => project_id)
    const broadcasts = await kysely.selectFrom('live_broadcasts').selectAll().execute()
    const media = await compareMedia(installation)
    const encoders = await waitFor(
      () => installation.countEncoders(),
      (count) => count === 0,
    ).catch(() => installation.countEncoders())
    const live = join(installation.dataFolder, 'live')
    const readKept = async () => [
      ...(await filesBelow(join(live, 'work'))),
      ...(await filesBelow(join(live, 'recordings'))),
    ]
    // A poster of the last broadcast may still be in the making.
    const kept = await waitFor(readKept, ({ length }) => length === 0).catch(readKept)
    return {
      events: events.length,
      deliveries: receiver.received.length,
      recordings: recordings.length,
      broadcasts: broadcasts.length,
      returns: new Map(
        [...byProject].map(([id, of]) => [id, of.filter(({ name }) => name === 'live.reconnected').length]),
      ),
      faults: [
        ...open.map(({ id, state }) => `recording ${id} is ${state} to the end`),
        ...recordings
          .filter(({ state, file_id }) => state !== 'finished' || file_id === null)
          .map(({ id, state, message }) => `recording ${id} is ${state}: ${message}`),
        ...files.filter(({ state }) => state !== 'finished').map(({ id, state }) => `file ${id} is ${state}`),
        ...broadcasts
          .filter(({ ended_at }) => ended_at === null)
          .map(({ id }) => `broadcast ${id} has no end`),
        ...[...byProject].flatMap(([id, of]) => checkStream(id, of)),
        ...(await checkDeliveries(events, receiver, hookId)),
        ...media.orphans.map((name) => `nobody names ${name}`),
        ...media.missing.map((name) => `${name} is missing`),
        ...media.miscounted,
        ...(await listLeftovers(installation.dataFolder)),
        ...kept.map((path) => `${path} is left`),
        ...(encoders === 0 ? [] : [`${encoders} processes of ffmpeg run on`]),
      ],
    }
  } finally {
    await database.close()
  }
}
