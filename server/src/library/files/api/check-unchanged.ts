import type { FastifyRequest } from 'fastify'
import { checkIfMatchSince } from '../../../platform/http/responses/etag.ts'
import type { MediaFileRow } from '../record/file-record.ts'
import { oldestUnchanged } from '../record/media-file-store.ts'

/** Throws 412 when a client has changed the file since the version in `If-Match`. Viewers change it without notice. */
export const checkUnchanged = (request: FastifyRequest, file: MediaFileRow): void =>
  checkIfMatchSince(request, { id: file.id, oldest: oldestUnchanged(file), version: file.version })
