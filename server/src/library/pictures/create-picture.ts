import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import type { FileAddress } from '../files/change/change-extras.ts'
import type { MediaFileRow } from '../files/record/file-record.ts'
import type { FileProperties } from '../files/record/parts/file-properties.ts'
import { blobPrefixOf } from '../files/record/media-file-store.ts'
import { addGarbageEntry } from '../files/media/garbage-entries.ts'
import { readAttachedFile } from '../../platform/http/attached-file.ts'
import { jsonBodyOf } from '../../platform/http/requests/json-body.ts'
import { nullable } from '../../platform/http/requests/schemas.ts'
import { binarySchema, type JsonOrBytes } from '../../platform/http/requests/streamed-body.ts'
import { newId } from '../../platform/base/ids.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { invalidField, invalidSubject, Problem } from '../../platform/base/problem.ts'
import { PictureError } from './read/picture-error.ts'
import { requestPicture } from './picture-requests.ts'
import type { PictureDependencies } from './picture-store.ts'
import { readPicture } from './read/read-picture.ts'
import type { UploadedPicture } from './read/uploaded-picture.ts'

const pictureLimit = { maxBytes: 20 * 1024 * 1024, maxText: '20 MiB' } as const
const standardText = 'Whether the picture becomes the poster of the file. Default true.'

export const takeFrameSchema = Type.Object(
  {
    Position: Type.Number({
      minimum: 0,
      maximum: 1_000_000,
      description: 'Position of the frame, in seconds from the start.',
    }),
    IsStandard: Type.Optional(nullable(Type.Boolean({ description: standardText }))),
  },
  { description: 'The frame of the video to take.', examples: [{ Position: 12.5, IsStandard: true }] },
)

export const pictureBytes = binarySchema(pictureLimit.maxBytes, 'The bytes of a JPEG, PNG or WebP.')

export const pictureForm = Type.Object({
  IsStandard: Type.Optional(Type.Boolean({ description: standardText })),
  file: pictureBytes,
})

export const rawPictureQuery = Type.Object({
  isStandard: Type.Optional(Type.Boolean({ description: `For raw bodies. ${standardText}` })),
})

interface Creation {
  readonly request: FastifyRequest & {
    readonly body: JsonOrBytes<Static<typeof takeFrameSchema>>
    readonly query: Static<typeof rawPictureQuery>
  }
  readonly reply: FastifyReply
  readonly file: MediaFileRow
  readonly address: FileAddress
}

type Dependencies = PictureDependencies & { readonly jobs: Jobs }

/** Creates a picture from a frame or an upload. Returns its id when a worker has made it. */
export const createPicture = async (dependencies: Dependencies, creation: Creation): Promise<number> => {
  const { request, reply, file, address } = creation
  const attached = await readAttachedFile(request, reply, pictureLimit)
  if (attached === null) {
    const frame = checkFrame(jsonBodyOf(request), file)
    return requestPicture(dependencies, address, {
      isStandard: frame.IsStandard ?? true,
      source: { kind: 'frame', positionSeconds: frame.Position },
    })
  }
  const { isStandard = true } = request.query
  const sent = attached.fields.get('IsStandard') ?? String(isStandard)
  if (sent !== 'true' && sent !== 'false') throw invalidField('IsStandard', 'not_boolean')
  return drawUpload(dependencies, address, inspect(attached.bytes), sent === 'true')
}

const checkFrame = (
  body: Static<typeof takeFrameSchema> | null,
  file: MediaFileRow,
): Static<typeof takeFrameSchema> => {
  if (body === null) throw new Problem('picture_body_missing')
  const properties = file.properties as FileProperties | null
  if (properties !== null && properties.VideoWidth === null) throw new Problem('file_has_no_video')
  if (file.source_removed_at !== null) throw new Problem('frame_source_not_stored', { fileId: file.id })
  if (file.source_blob === null) throw new Problem('frame_source_missing', { fileId: file.id })
  return body
}

const inspect = (bytes: Buffer): UploadedPicture => {
  try {
    return readPicture(bytes)
  } catch (error) {
    if (error instanceof PictureError) throw invalidSubject('The picture', error.issue)
    throw error
  }
}

/**
 * Stores the upload in the blob store until a worker has re-encoded it. Viewers never receive these bytes.
 */
const drawUpload = async (
  dependencies: Dependencies,
  address: FileAddress,
  { bytes, ...facts }: UploadedPicture,
  isStandard: boolean,
): Promise<number> => {
  const { database, blobs } = dependencies
  const blob = `${blobPrefixOf(address)}uploaded/${newId()}`
  const entryId = await addGarbageEntry(database, address, [blob])
  try {
    await blobs.put(blob, bytes)
    return await requestPicture(dependencies, address, {
      isStandard,
      source: { kind: 'upload', blob, ...facts },
    })
  } finally {
    // Housekeeping deletes the blob by its entry in the garbage list if this fails.
    await blobs
      .delete(blob)
      .then(() => database.kysely.deleteFrom('discarded_media').where('id', '=', entryId).execute())
      .catch(() => {})
  }
}
