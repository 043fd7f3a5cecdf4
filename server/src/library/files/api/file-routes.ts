import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import type { Principal } from '../../../platform/http/requests/authenticate.ts'
import { recordEtag, sendJson } from '../../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../../platform/http/openapi/openapi.ts'
import { idSchema, nullable } from '../../../platform/http/requests/schemas.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import { isUnchanged } from '../../../platform/db/is-unchanged.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { externalIdSchema } from '../../projects/external-id.ts'
import { findProject } from '../../projects/project-store.ts'
import { encoderSettingsOf } from '../../projects/project-record.ts'
import { moveInQueue } from '../queue/encode-queue.ts'
import { checkUnchanged } from './check-unchanged.ts'
import { checkMayEdit } from '../record/file-access.ts'
import { claimFileExternalId } from '../record/file-external-id.ts'
import {
  applyMetadata,
  checkMayPublish,
  metadataWriteSchema,
  readMetadataRules,
  type FileMetadata,
  type MetadataPlace,
} from '../record/file-metadata.ts'
import type { MediaFileRow } from '../record/file-record.ts'
import { lockFileInProject } from '../record/lock-file-in-project.ts'
import { changeMediaFile, clearedMetadata, findMediaFile } from '../record/media-file-store.ts'

export interface FileRouteDependencies {
  readonly database: Database
  readonly jobs: Jobs
  readonly publicUrl: string
}

const fileParams = Type.Object({ projectId: idSchema, fileId: idSchema })
type FileParams = Static<typeof fileParams>
type UpdateRequest = FastifyRequest & { readonly params: FileParams }

const updateFileSchema = Type.Object(
  {
    ExternalId: Type.Optional(externalIdSchema('its project')),
    UseEncoding: Type.Optional(
      nullable(Type.Boolean(), 'Whether to transcode the file. Null restores the setting of the project.'),
    ),
    EncodingPriority: Type.Optional(
      nullable(
        Type.Integer({ minimum: 0, maximum: 100 }),
        'Priority in the encoding queue, 0 to 100; higher values go first. Null restores the setting of the project.',
      ),
    ),
    Metadata: Type.Optional(metadataWriteSchema),
  },
  {
    description: 'A partial update. Absent fields keep their values; null restores the default.',
    examples: [{ EncodingPriority: 80, Metadata: { Title: 'Interview', ReleaseStatus: 'published' } }],
  },
)
type UpdateFile = Static<typeof updateFileSchema>

export const registerFileRoutes = (app: HttpServer, dependencies: FileRouteDependencies): void => {
  const { database, jobs, publicUrl } = dependencies

  const applyUpdate = async (
    tx: Tx,
    principal: Principal,
    { projectId, fileId }: FileParams,
    check: (file: MediaFileRow) => void,
    update: UpdateFile,
    metadataAt: MetadataPlace,
  ): Promise<MediaFileRow> => {
    const { accountId } = principal
    const { ExternalId: externalId } = update
    const project =
      externalId == null
        ? await findProject(tx, accountId, projectId)
        : await lockFileInProject(tx, { accountId, projectId, fileId })
    const settings = encoderSettingsOf(project)
    const known = await findMediaFile(tx, { accountId, fileId, projectId })
    if (externalId != null) await claimFileExternalId(tx, projectId, fileId, externalId)
    const rules = await readMetadataRules(tx, project, update.Metadata ?? {}, {
      at: metadataAt,
      known: known.metadata as unknown as FileMetadata,
    })
    let isMoved = false
    const changed = await changeMediaFile(tx, publicUrl, { accountId, fileId, projectId }, (file) => {
      check(file)
      const before = file.metadata as unknown as FileMetadata
      const after = applyMetadata(
        before,
        update.Metadata ?? {},
        clearedMetadata(project, file.original_file_name),
        rules,
      )
      checkMayPublish(principal, projectId, before, after)
      const set = {
        ...(externalId === undefined ? {} : { external_id: externalId }),
        metadata: JSON.stringify(after),
        ...(update.UseEncoding === undefined
          ? {}
          : { use_encoding: update.UseEncoding ?? settings.UseEncoding }),
        ...(update.EncodingPriority === undefined
          ? {}
          : { encoding_priority: update.EncodingPriority ?? settings.EncodingPriority }),
      }
      isMoved = 'encoding_priority' in set && set.encoding_priority !== file.encoding_priority
      return isUnchanged(file, set) ? 'unchanged' : { set, events: ['file.updated'], isWritten: true }
    })
    if (isMoved) await moveInQueue(tx, jobs, changed)
    return changed
  }

  const update = async (
    request: UpdateRequest,
    reply: FastifyReply,
    fields: UpdateFile,
    metadataAt: MetadataPlace,
  ): Promise<FastifyReply> => {
    const file = await database.transaction((tx) =>
      applyUpdate(
        tx,
        request.principal,
        request.params,
        (before) => {
          checkMayEdit(request.principal, before)
          checkUnchanged(request, before)
        },
        fields,
        metadataAt,
      ),
    )
    return sendJson(request, reply, file.record, recordEtag(file.id, file.version))
  }

  const updateOperation = {
    tags: [tags.files],
    description:
      'Changes only the fields that you send; `null` clears a field. You can read a record, change it and send it back whole. Requires files:write for files that other users created, and files:publish to publish.',
    params: fileParams,
    response: responses(
      { status: 200, schema: schemaRef('File'), description: 'The whole file.' },
      404,
      409,
      412,
    ),
  }

  app.put(
    '/projects/:projectId/files/:fileId',
    {
      config: { permission: 'files:write-own' },
      schema: {
        ...updateOperation,
        operationId: 'updateFile',
        summary: 'Update a file',
        body: updateFileSchema,
      },
    },
    (request, reply) => update(request, reply, request.body, 'Metadata.'),
  )

  app.put(
    '/projects/:projectId/files/:fileId/metadata',
    {
      config: { permission: 'files:write-own', bodyOfField: 'Metadata' },
      schema: {
        ...updateOperation,
        operationId: 'updateFileMetadata',
        summary: 'Update the metadata',
        body: metadataWriteSchema,
      },
    },
    (request, reply) => update(request, reply, { Metadata: request.body }, ''),
  )
}
