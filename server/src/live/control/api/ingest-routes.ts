import { liveReason } from './live-reason.ts'
import { newMessage } from '../../../platform/base/message.ts'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { sendJson } from '../../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../../platform/http/openapi/openapi.ts'
import { checkIngestMatch, etagOfIngest, ingestRecord } from '../settings/ingest-record.ts'
import { writeLog } from './live-log.ts'
import { liveParams, livePath, ownerOf, viewOf, type LiveRouteDependencies } from './live-request.ts'
import { liveSettingsWriteSchema, toLiveStreamChange } from '../settings/live-settings.ts'
import { changeLiveStream, lockLiveStream, openLiveStream } from '../store/live-stream-store.ts'
import { recordLiveAct } from './record-live-act.ts'
import { newSrtPassphrase, newStreamKey } from '../store/stream-keys.ts'
import { notifyNode } from '../nodes/notify-node.ts'

export const registerIngestRoutes = (app: HttpServer, dependencies: LiveRouteDependencies): void => {
  const { database, secrets } = dependencies
  const path = `${livePath}/ingest`

  app.get(
    path,
    {
      config: { permission: 'live:read' },
      schema: {
        operationId: 'getLiveIngest',
        tags: [tags.live],
        summary: 'Get the ingest settings',
        description:
          'Returns the ingest settings of the live stream. Each project has one live stream; the first request creates its key. Stream key and passphrase are null without the permission live:keys.',
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
        summary: 'Update the ingest settings',
        description:
          'Changes only the fields that you send; `null` restores a default. `IsEnabled` false ends a running broadcast. Changes to `UseLowLatency`, `TimeshiftDuration`, `AutomaticTranscoding`, `Renditions` and `StreamInType` take effect with the next broadcast.',
        params: liveParams,
        body: liveSettingsWriteSchema,
        response: responses(
          { status: 200, schema: schemaRef('LiveIngest'), description: 'The settings.' },
          404,
          412,
        ),
      },
    },
    async (request, reply) => {
      const stream = await database.transaction(async (tx) => {
        const before = await lockLiveStream(tx, secrets, ownerOf(request))
        checkIngestMatch(request, before)
        const change = await toLiveStreamChange(before, request.body, dependencies)
        const after = await changeLiveStream(tx, before, change)
        const withoutKeys = { ...viewOf(request, dependencies), showsKeys: false }
        await recordLiveAct(tx, request, 'live.updated', {
          before: ingestRecord(before, withoutKeys),
          after: ingestRecord(after, withoutKeys),
        })
        return after
      })
      await notifyNode(dependencies, stream)
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
          'Creates a new stream key and SRT passphrase, and revokes the old ones. An encoder that uses the old key is disconnected at once. If it reconnects with the new key within `ReconnectWindow`, the same broadcast continues.',
        params: liveParams,
        response: responses(
          { status: 200, schema: schemaRef('LiveIngest'), description: 'The settings with the new key.' },
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
        await writeLog(tx, after, { level: 'info', ...liveReason('key_reset', newMessage('live_key_reset')) })
        return after
      })
      await notifyNode(dependencies, stream)
      const record = ingestRecord(stream, viewOf(request, dependencies))
      return sendJson(request, reply, JSON.stringify(record), etagOfIngest(stream))
    },
  )
}
