import type { FastifyInstance } from 'fastify'
import { sendJson } from '../http/etag.ts'
import { responses, schemaRef, tags } from '../http/openapi.ts'
import { checkIngestMatch, etagOfIngest, ingestRecord } from './ingest-record.ts'
import { writeLog } from './live-log.ts'
import { liveParams, livePath, ownerOf, viewOf, type LiveRouteDependencies } from './live-request.ts'
import { liveSettingsWriteSchema, toLiveStreamChange, type LiveSettingsWrite } from './live-settings.ts'
import { changeLiveStream, lockLiveStream, openLiveStream } from './live-stream-store.ts'
import { recordLiveAct } from './record-live-act.ts'
import { newSrtPassphrase, newStreamKey } from './stream-keys.ts'
import { tellNode } from './tell-node.ts'

export const registerIngestRoutes = (app: FastifyInstance, dependencies: LiveRouteDependencies): void => {
  const { database, secrets } = dependencies
  const path = `${livePath}/ingest`

  app.get(
    path,
    {
      config: { permission: 'live:read' },
      schema: {
        operationId: 'getLiveIngest',
        tags: [tags.live],
        summary: 'Get the ingest of a live stream',
        description:
          'Each project has one live stream; its key is made when it is first asked for. Key and passphrase are shown to those who have live:keys, and null to others.',
        params: liveParams,
        response: responses(
          { status: 200, schema: schemaRef('LiveIngest'), description: 'The settings.' },
          404,
        ),
      },
    },
    async (request, reply) => {
      const stream = await openLiveStream(database.kysely, secrets, ownerOf(request))
      const record = ingestRecord(stream, viewOf(request, dependencies))
      return sendJson(request, reply, JSON.stringify(record), etagOfIngest(stream))
    },
  )

  app.put(
    path,
    {
      config: { permission: 'live:control' },
      schema: {
        operationId: 'updateLiveIngest',
        tags: [tags.live],
        summary: 'Update the ingest of a live stream',
        description:
          'Partial: absent fields stay as they are, null is the default. IsEnabled false ends what goes on. UseLowLatency, TimeshiftDuration, AutomaticTranscoding, Renditions and StreamInType take effect with the next broadcast.',
        params: liveParams,
        body: liveSettingsWriteSchema,
        response: responses(
          { status: 200, schema: schemaRef('LiveIngest'), description: 'All settings.' },
          404,
          412,
        ),
      },
    },
    async (request, reply) => {
      const stream = await database.transaction(async (tx) => {
        const before = await lockLiveStream(tx, secrets, ownerOf(request))
        checkIngestMatch(request, before)
        const change = toLiveStreamChange(before, request.body as LiveSettingsWrite, dependencies)
        const after = await changeLiveStream(tx, before, change)
        const withoutKeys = { ...viewOf(request, dependencies), showsKeys: false }
        await recordLiveAct(tx, request, 'live.updated', {
          before: ingestRecord(before, withoutKeys),
          after: ingestRecord(after, withoutKeys),
        })
        return after
      })
      await tellNode(dependencies, stream)
      const record = ingestRecord(stream, viewOf(request, dependencies))
      return sendJson(request, reply, JSON.stringify(record), etagOfIngest(stream))
    },
  )

  app.post(
    `${path}/resetkey`,
    {
      // The handler notifies the live node after the commit.
      config: { permission: 'live:keys', isLong: true },
      schema: {
        operationId: 'resetLiveKey',
        tags: [tags.live],
        summary: 'Reset the stream key',
        description:
          'A new stream key and a new SRT passphrase. The old ones open nothing any more, and whoever sends with them is cut off at once; who comes back with the new ones within ReconnectWindow goes on with the same broadcast.',
        params: liveParams,
        response: responses(
          { status: 200, schema: schemaRef('LiveIngest'), description: 'The settings, with the new key.' },
          404,
          409,
          412,
        ),
      },
    },
    async (request, reply) => {
      const stream = await database.transaction(async (tx) => {
        const before = await lockLiveStream(tx, secrets, ownerOf(request))
        checkIngestMatch(request, before)
        const after = await changeLiveStream(tx, before, {
          ...newStreamKey(secrets),
          ...newSrtPassphrase(secrets),
        })
        await recordLiveAct(tx, request, 'live.key-reset')
        await writeLog(tx, after, { level: 'info', code: 'key_reset', message: 'The stream key was reset.' })
        return after
      })
      await tellNode(dependencies, stream)
      const record = ingestRecord(stream, viewOf(request, dependencies))
      return sendJson(request, reply, JSON.stringify(record), etagOfIngest(stream))
    },
  )
}
