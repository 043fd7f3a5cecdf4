import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { liveReason } from './live-reason.ts'
import { newMessage } from '../../../platform/base/message.ts'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { etagOf, recordEtag, sendJson } from '../../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../../platform/http/openapi/openapi.ts'
import { nullable } from '../../../platform/http/requests/schemas.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { askClip, askHealth } from '../nodes/ask-node.ts'
import { writeLog } from './live-log.ts'
import {
  checkLive,
  liveParams,
  livePath,
  ownerOf,
  type LiveRouteDependencies,
  type LiveRequest,
} from './live-request.ts'
import {
  countVersion,
  lockLiveStream,
  openLiveStream,
  type LiveStreamOwner,
  type LiveStreamRow,
} from '../store/live-stream-store.ts'
import { readPortWarnings } from '../nodes/read-port-warnings.ts'
import type { LiveStatus } from '../nodes/live-status.ts'
import { readStatus } from '../nodes/read-status.ts'
import { recordLiveAct } from './record-live-act.ts'
import { notifyNode } from '../nodes/notify-node.ts'

export interface ControlDependencies extends LiveRouteDependencies {
  readonly readFile: (
    fileId: number,
    owner: LiveStreamOwner,
  ) => Promise<{ readonly version: number; readonly record: string } | null>
}

const clipSchema = Type.Object(
  {
    Duration: Type.Integer({
      minimum: 1,
      maximum: 3_600,
      description:
        'Length of the clip in seconds, counted back from now. It is shorter if less media is available.',
    }),
    Title: Type.Optional(
      nullable(
        Type.String({ maxLength: 255, description: 'Title of the clip. Default: the title of the stream.' }),
      ),
    ),
  },
  { description: 'The clip to save.', examples: [{ Duration: 30, Title: 'The goal' }] },
)

/** A recording begins with the next key frame. A request that is not applied after this time is answered with the present state. */
const appliedWithinMs = 2_500
const pollMs = 50

const statusAnswer = {
  status: 200,
  schema: schemaRef('LiveStatus'),
  description: 'The current state.',
} as const

/**
 * Registers the routes that control a broadcast. They write the requested state to rows, and the live node
 * applies it.
 */
export const registerControlRoutes = (app: HttpServer, dependencies: ControlDependencies): void => {
  const { database, secrets, publicUrl } = dependencies

  const statusOf = async (request: LiveRequest): Promise<LiveStatus> => {
    const stream = await openLiveStream(database.kysely, secrets, ownerOf(request))
    const [health, ports] = await Promise.all([
      askHealth(dependencies, stream),
      readPortWarnings(database, stream),
    ])
    const all = { ...health, Warnings: [...ports, ...health.Warnings] }
    return readStatus(database.kysely, stream, all)
  }
  const sendStatus = (request: LiveRequest, reply: FastifyReply, status: LiveStatus) => {
    const body = JSON.stringify(status)
    return sendJson(request, reply, body, etagOf(body))
  }
  const appliedStatusOf = async (
    request: LiveRequest,
    isApplied: (status: LiveStatus) => boolean,
  ): Promise<LiveStatus> => {
    const endsAtMs = performance.now() + appliedWithinMs
    for (;;) {
      const status = await statusOf(request)
      if (isApplied(status) || performance.now() >= endsAtMs) return status
      await delay(pollMs)
    }
  }

  app.get(
    `${livePath}/status`,
    {
      config: { permission: 'live:read' },
      schema: {
        operationId: 'getLiveStatus',
        tags: [tags.live],
        summary: 'Get the live status',
        description:
          'Returns what the encoder sends, the quality of its connection, the number of viewers, and warnings. The live node measures the values at the time of the request; unknown values are null.',
        params: liveParams,
        response: responses(statusAnswer, 404),
      },
    },
    async (request, reply) => sendStatus(request, reply, await statusOf(request)),
  )

  const registerWish = (
    name: string,
    docs: { readonly operationId: string; readonly summary: string; readonly description: string },
    wish: (tx: Tx, request: LiveRequest, stream: LiveStreamRow) => Promise<LiveStreamRow>,
    isApplied: (status: LiveStatus) => boolean,
  ): void => {
    app.post(
      `${livePath}/${name}`,
      {
        config: { permission: 'live:control', isLong: true },
        schema: {
          ...docs,
          tags: [tags.live],
          params: liveParams,
          response: responses(statusAnswer, 404, 409),
        },
      },
      async (request, reply) => {
        const stream = await database.transaction(async (tx) => {
          const before = await lockLiveStream(tx, secrets, ownerOf(request))
          checkLive(before)
          return wish(tx, request, before)
        })
        const isConfirmed = await notifyNode(dependencies, stream)
        const status = isConfirmed ? await appliedStatusOf(request, isApplied) : await statusOf(request)
        return sendStatus(request, reply, status)
      },
    )
  }

  registerWish(
    'stop',
    {
      operationId: 'stopLive',
      summary: 'Stop the broadcast',
      description:
        'Ends the broadcast and disconnects the encoder. The stream key stays valid: an encoder that connects again starts a new broadcast, unless `IsEnabled` is false or you reset the key.',
    },
    async (tx, request, stream) => {
      // A stop that is already requested is enough.
      if (stream.stops_wanted > stream.stops_done) return stream
      await recordLiveAct(tx, request, 'live.stopped')
      const note = liveReason('stop_wanted', newMessage('live_stop_wanted'))
      await writeLog(tx, stream, { level: 'info', ...note })
      return countVersion(tx, stream, { stops_wanted: stream.stops_wanted + 1 })
    },
    ({ State }) => State === 'offline',
  )

  const setRecording = async (tx: Tx, stream: LiveStreamRow, isWanted: boolean): Promise<LiveStreamRow> =>
    stream.is_recording_wanted === isWanted
      ? stream
      : countVersion(tx, stream, { is_recording_wanted: isWanted })

  registerWish(
    'recording/start',
    {
      operationId: 'startLiveRecording',
      summary: 'Start a recording',
      description:
        'Records the broadcast until it ends or you stop the recording. Then the recording becomes a file of the project. Has no effect while a recording is running.',
    },
    (tx, _request, stream) => setRecording(tx, stream, true),
    ({ State, Recording }) => State !== 'online' || Recording?.State === 'recording',
  )

  registerWish(
    'recording/stop',
    {
      operationId: 'stopLiveRecording',
      summary: 'Stop the recording',
      description:
        'Stops the recording, which becomes a file of the project (`recording.finished`). The broadcast continues. Has no effect if no recording is running.',
    },
    (tx, _request, stream) => setRecording(tx, stream, false),
    ({ Recording }) => Recording?.State !== 'recording',
  )

  app.post(
    `${livePath}/clip`,
    {
      config: { permission: 'live:control', isLong: true },
      schema: {
        operationId: 'clipLive',
        tags: [tags.live],
        summary: 'Clip the last seconds',
        description:
          'Saves the last seconds of a running broadcast as a file of the project. The clip starts at a key frame. It is listed among the recordings and sends `recording.finished`.',
        params: liveParams,
        body: clipSchema,
        response: responses(
          { status: 201, schema: schemaRef('File'), description: 'The new file.' },
          404,
          409,
          413,
          507,
        ),
      },
    },
    async (request, reply) => {
      const owner = ownerOf(request)
      const { Duration, Title } = request.body
      const stream = await openLiveStream(database.kysely, secrets, owner)
      checkLive(stream)
      const title = Title ?? stream.title
      const fileId = await askClip(dependencies, stream, { durationSeconds: Duration, title })
      const file = await dependencies.readFile(fileId, owner)
      if (file === null) throw new Problem('clip_deleted', { fileId })
      reply.code(201).header('Location', `${publicUrl}/v3/projects/${owner.projectId}/files/${fileId}`)
      return sendJson(request, reply, file.record, recordEtag(fileId, file.version))
    },
  )
}
