import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase } from '../../src/platform/db/database.ts'
import { waitFor } from '../support/wait-for.ts'
import type { Installation, KillTarget, Recovery } from './installation.ts'

export interface DeliveryKill {
  readonly eventCount: number
  readonly killAtChange: number
  readonly target: KillTarget
}

export interface DeliveryOutcome {
  readonly recovery: Recovery
  readonly events: number
  readonly requests: number
  readonly refused: number
  readonly repeats: number
  /** Time from full recovery to the last delivery. */
  readonly lastAfterMs: number
}

interface Taken {
  readonly id: string
  readonly fileId: number
  readonly sequence: number
}

/**
 * Share of the files of which one event is refused once. Its ordering key then waits five seconds; a second
 * refusal would wait five minutes.
 */
const refusedShare = 0.1
/** Slow enough to build up a backlog, during which the kill happens. */
const maxAnswerMs = 150

/**
 * Starts a receiver that responds late and sometimes refuses. `taken` lists the events that it answered with
 * 200, in that order.
 */
export const startMoodyReceiver = async () => {
  const taken: Taken[] = []
  const refusedFiles = new Set<number>()
  let requests = 0
  const server = createServer((request, response) => {
    void answer(request, response)
  })
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer)
    } catch {
      // The sender was killed.
      return
    }
    requests += 1
    const [event] = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    const id = String(request.headers['webhook-id'])
    await delay(Math.random() * maxAnswerMs)
    if (!refusedFiles.has(event.File.Id) && Math.random() < refusedShare) {
      refusedFiles.add(event.File.Id)
      response.writeHead(503).end()
      return
    }
    taken.push({ id, fileId: event.File.Id, sequence: event.Sequence })
    response.writeHead(200).end()
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    taken,
    requestCount: () => requests,
    refusedCount: () => refusedFiles.size,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const fileCount = 10

/** Repeats a change until it is acknowledged, as a careful back end does. */
const change = async (
  installation: Installation,
  path: string,
  title: string,
  whenBroken: () => Promise<unknown>,
): Promise<void> => {
  for (;;) {
    const answer = await installation.call('PUT', path, { Title: title }).catch(() => null)
    if (answer?.status === 200) return
    assert.ok(answer === null || answer.status >= 500, `the change answered ${answer?.status}`)
    await whenBroken()
  }
}

/**
 * Changes files, whose events go to a slow receiver that refuses some, and kills `target` in between. Throws
 * when an acknowledged change has no event, when an event never arrives, or when the first deliveries of a
 * file are out of order.
 */
export const deliverThroughKill = async (
  installation: Installation,
  projectId: number,
  kill: DeliveryKill,
): Promise<DeliveryOutcome> => {
  const receiver = await startMoodyReceiver()
  const files: number[] = []
  for (let index = 0; index < fileCount; index += 1)
    files.push(
      (await installation.call('POST', `/projects/${projectId}/files`, { FileName: `${index}.mp4` })).body.Id,
    )
  const hook = await installation.call('POST', '/modules/notifications', {
    TargetURL: receiver.url,
    EventTypes: ['file.updated'],
    ProjectId: projectId,
  })
  assert.equal(hook.status, 201)

  let recovering: Promise<Recovery> | null = null
  const acknowledged: string[] = []
  for (let index = 0; index < kill.eventCount; index += 1) {
    if (index === kill.killAtChange) recovering = installation.killAndRecover(kill.target)
    const title = `change ${index}`
    await change(
      installation,
      `/projects/${projectId}/files/${files[index % fileCount]}/metadata`,
      title,
      () => recovering ?? Promise.reject(new Error('a change that nobody disturbed failed')),
    )
    acknowledged.push(title)
  }
  const recovery = await (recovering ?? installation.killAndRecover(kill.target))
  const recoveredMs = performance.now()

  const database = openDatabase(await installation.connection(), { maxConnections: 1 })
  try {
    const events = await database.kysely
      .selectFrom('events')
      .select(['id', 'record'])
      .where('file_id', 'in', files)
      .where('name', '=', 'file.updated')
      .execute()
    const titles = new Set(events.map(({ record }) => JSON.parse(record).Metadata.Title as string))
    assert.deepEqual(
      acknowledged.filter((title) => !titles.has(title)),
      [],
      'acknowledged changes without an event',
    )
    const idOf = (eventId: number): string => `evt_${eventId}_${hook.body.Id}`
    await waitFor(
      async () => {
        const arrived = new Set(receiver.taken.map(({ id }) => id))
        return events.map(({ id }) => idOf(id)).filter((id) => !arrived.has(id))
      },
      (lost) => lost.length === 0,
    )
    const lastAfterMs = performance.now() - recoveredMs
    for (const fileId of files) {
      const ofFile = receiver.taken.filter((one) => one.fileId === fileId)
      const firsts = ofFile
        .filter((one, index) => ofFile.findIndex(({ id }) => id === one.id) === index)
        .map(({ sequence }) => sequence)
      assert.deepEqual(
        firsts,
        firsts.toSorted((a, b) => a - b),
        `the events of file ${fileId} came out of order`,
      )
    }
    return {
      recovery,
      events: events.length,
      requests: receiver.requestCount(),
      refused: receiver.refusedCount(),
      repeats: receiver.taken.length - new Set(receiver.taken.map(({ id }) => id)).size,
      lastAfterMs,
    }
  } finally {
    await installation.call('DELETE', `/modules/notifications/${hook.body.Id}`)
    await database.close()
    await receiver.stop()
  }
}
