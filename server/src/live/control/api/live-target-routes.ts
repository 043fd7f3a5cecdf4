import { Type, type Static } from 'typebox'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { checkIfMatch, recordEtag, sendJson } from '../../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../../platform/http/openapi/openapi.ts'
import { deletedSchema, idSchema } from '../../../platform/http/requests/schemas.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { toTimestamp } from '../../../platform/base/timestamp.ts'
import { findProject } from '../../../library/projects/project-store.ts'
import {
  liveParams,
  livePath,
  ownerOf,
  type LiveRouteDependencies,
  type LiveRequest,
} from './live-request.ts'
import { countVersion, lockLiveStream, type LiveStreamRow } from '../store/live-stream-store.ts'
import {
  changeTarget,
  deleteTarget,
  findTarget,
  insertTarget,
  liveTargetCreateSchema,
  liveTargetUpdateSchema,
  targetRecord,
  targetUriOf,
  type LiveTargetChange,
  type LiveTargetRow,
  type LiveTargetWrite,
} from '../targets/live-targets.ts'
import { recordLiveAct } from './record-live-act.ts'
import { changedTargetUri, newTargetUri } from '../targets/target-address.ts'
import { notifyNode } from '../nodes/notify-node.ts'

const targetParams = Type.Object({ ...liveParams.properties, targetId: idSchema })

const targetIdOf = ({ params }: { readonly params: Static<typeof targetParams> }): number => params.targetId

const etagOfTarget = (row: LiveTargetRow): string => recordEtag(row.id, row.version)

export const registerLiveTargetRoutes = (app: HttpServer, dependencies: LiveRouteDependencies): void => {
  const { database, secrets, policy, publicUrl } = dependencies
  const path = `${livePath}/targets`

  /** Absent fields stay unchanged; null sets the default. */
  const toChange = (write: LiveTargetWrite): Omit<LiveTargetChange, 'sealed_uri'> => ({
    ...(write.Label === undefined ? {} : { label: write.Label ?? '' }),
    ...(write.IsEnabled === undefined ? {} : { is_enabled: write.IsEnabled ?? true }),
  })
  const sealUri = (uri: string): Buffer => secrets.liveNodes.seal(Buffer.from(uri))

  /**
   * Runs a change and increments the version of the stream if `hasChanged`, so that the live node applies it.
   */
  const change = async <T>(
    request: LiveRequest,
    work: (tx: Tx, stream: LiveStreamRow) => Promise<{ result: T; hasChanged: boolean }>,
  ): Promise<T> => {
    const { stream, result } = await database.transaction(async (tx) => {
      const locked = await lockLiveStream(tx, secrets, ownerOf(request))
      const done = await work(tx, locked)
      return { stream: done.hasChanged ? await countVersion(tx, locked) : locked, result: done.result }
    })
    // Not awaited: with an Idempotency-Key the transaction is still open. The node finds the change a second
    // later.
    void notifyNode(dependencies, stream)
    return result
  }

  app.post(
    path,
    {
      config: { permission: 'live:control' },
      schema: {
        operationId: 'createLiveTarget',
        tags: [tags.live],
        summary: 'Create a simulcast target',
        description:
          'Forwards the stream to another platform by RTMP or RTMPS, without re-encoding, whenever it is live. A running broadcast is forwarded at once. Zoetrope retries a target that fails; the stream itself is not affected. The stream key is not shown again.',
        params: liveParams,
        body: liveTargetCreateSchema,
        response: responses(
          { status: 201, schema: schemaRef('LiveTarget'), description: 'The new target.' },
          404,
          409,
        ),
      },
    },
    async (request, reply) => {
      const body = request.body
      const uri = newTargetUri(body, policy)
      const row = await change(request, async (tx, stream) => {
        const made = await insertTarget(tx, stream, { ...toChange(body), sealed_uri: sealUri(uri) })
        await recordLiveAct(tx, request, 'live.target-created', { after: targetRecord(made, secrets) })
        return { result: made, hasChanged: true }
      })
      const location = `${publicUrl}/v3/projects/${row.project_id}/live/targets/${row.id}`
      reply.code(201).header('Location', location)
      return sendJson(request, reply, JSON.stringify(targetRecord(row, secrets)), etagOfTarget(row))
    },
  )

  app.get(
    `${path}/:targetId`,
    {
      config: { permission: 'live:read' },
      schema: {
        operationId: 'getLiveTarget',
        tags: [tags.live],
        summary: 'Get a simulcast target',
        description:
          'Returns the settings of a simulcast target. The live status of the stream has its state.',
        params: targetParams,
        response: responses(
          { status: 200, schema: schemaRef('LiveTarget'), description: 'The target.' },
          404,
        ),
      },
    },
    async (request, reply) => {
      const owner = ownerOf(request)
      await findProject(database.kysely, owner.accountId, owner.projectId)
      const row = await findTarget(database.kysely, owner, targetIdOf(request))
      return sendJson(request, reply, JSON.stringify(targetRecord(row, secrets)), etagOfTarget(row))
    },
  )

  app.put(
    `${path}/:targetId`,
    {
      config: { permission: 'live:control' },
      schema: {
        operationId: 'updateLiveTarget',
        tags: [tags.live],
        summary: 'Update a simulcast target',
        description: 'Changes only the fields that you send. Takes effect at once.',
        params: targetParams,
        body: liveTargetUpdateSchema,
        response: responses(
          { status: 200, schema: schemaRef('LiveTarget'), description: 'The whole target.' },
          404,
          412,
        ),
      },
    },
    async (request, reply) => {
      const row = await change(request, async (tx) => {
        const before = await findTarget(tx, ownerOf(request), targetIdOf(request))
        checkIfMatch(request, etagOfTarget(before))
        const write = request.body
        const uri = changedTargetUri(write, targetUriOf(before, secrets), policy)
        const after = await changeTarget(tx, before, {
          ...toChange(write),
          ...(uri !== null && { sealed_uri: sealUri(uri) }),
        })
        await recordLiveAct(tx, request, 'live.target-updated', {
          before: targetRecord(before, secrets),
          after: targetRecord(after, secrets),
        })
        return { result: after, hasChanged: after.version !== before.version }
      })
      return sendJson(request, reply, JSON.stringify(targetRecord(row, secrets)), etagOfTarget(row))
    },
  )

  app.delete(
    `${path}/:targetId`,
    {
      config: { permission: 'live:control' },
      schema: {
        operationId: 'deleteLiveTarget',
        tags: [tags.live],
        summary: 'Delete a simulcast target',
        description: 'Deletes a simulcast target for good. Forwarding stops at once.',
        params: targetParams,
        response: responses(
          { status: 200, schema: deletedSchema, description: 'The deleted record.' },
          404,
          412,
        ),
      },
    },
    async (request, reply) => {
      const targetId = targetIdOf(request)
      await change(request, async (tx) => {
        const before = await findTarget(tx, ownerOf(request), targetId)
        checkIfMatch(request, etagOfTarget(before))
        await deleteTarget(tx, before)
        await recordLiveAct(tx, request, 'live.target-deleted', { before: targetRecord(before, secrets) })
        return { result: null, hasChanged: true }
      })
      return reply.send({ Id: targetId, IsEnabled: false, DeletedAt: toTimestamp(new Date()) })
    },
  )
}
