import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../base/problem.ts'
import {
  codedEtag,
  codingFor,
  compress,
  isLargeEnoughToCompress,
  withoutCoding,
  type ContentCoding,
} from './content-coding.ts'

export const etagOf = (identity: string | Buffer): string => `"${hash('sha1', identity, 'base64url')}"`

export const recordEtag = (id: number, version: number): string => `"${id}-${version}"`

/**
 * Returns whether `If-None-Match` or `If-Match` names this ETag or any. Ignores weak prefixes, which proxies
 * add, and the coding of a compressed response: all name the same version of the record.
 */
export const namesEtag = (header: string | undefined, etag: string): boolean =>
  header === '*' ||
  (header !== undefined &&
    header.split(',').some((one) => withoutCoding(one.trim().replace(/^W\//, '')) === etag))

/** Returns the versions of this record that an ETag in `If-Match` names. */
const namedVersions = (header: string, id: number): number[] =>
  header.split(',').flatMap((one) => {
    const match = /^"(\d+)-(\d+)"$/.exec(withoutCoding(one.trim().replace(/^W\//, '')))
    return match !== null && Number(match[1]) === id ? [Number(match[2])] : []
  })

/**
 * Sends serialized JSON. GET answers 304 without a body when `If-None-Match` names the current version (RFC
 * 9110 13.1.2). Compresses larger bodies as `Accept-Encoding` allows.
 */
export const sendJson = (
  request: FastifyRequest,
  reply: FastifyReply,
  body: Buffer | string,
  etag: string,
): FastifyReply | Promise<FastifyReply> => {
  reply.header('cache-control', 'private, no-cache')
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return reply.header('etag', etag).header('Content-Type', 'application/json; charset=utf-8').send(body)
  const coding = isLargeEnoughToCompress(body) ? negotiateCoding(request, reply) : null
  reply.header('etag', coding === null ? etag : codedEtag(etag, coding))
  if (namesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  reply.header('content-type', 'application/json; charset=utf-8')
  return coding === null ? reply.send(body) : sendCompressed(reply, body, coding)
}

const negotiateCoding = (request: FastifyRequest, reply: FastifyReply): ContentCoding | null => {
  reply.header('vary', 'Accept-Encoding')
  return codingFor(request.headers['accept-encoding'])
}

const sendCompressed = async (
  reply: FastifyReply,
  body: Buffer | string,
  coding: ContentCoding,
): Promise<FastifyReply> => {
  const compressed = await compress(body, coding)
  return reply.header('Content-Encoding', coding).send(compressed)
}

/** RFC 9110 13.1.1: a change based on an old version must be refused. */
export const checkIfMatch = (request: FastifyRequest, etag: string): void => {
  const wanted = request.headers['if-match']
  if (wanted !== undefined && !namesEtag(wanted, etag)) throw new Problem('record_changed')
}

/** Like `checkIfMatch`, for a record of which several versions are as good as the current one. */
export const checkIfMatchSince = (
  request: FastifyRequest,
  record: { readonly id: number; readonly oldest: number; readonly version: number },
): void => {
  const { id, oldest, version } = record
  const wanted = request.headers['if-match']
  if (wanted === undefined || wanted.trim() === '*') return
  if (!namedVersions(wanted, id).some((named) => named >= oldest && named <= version))
    throw new Problem('record_changed')
}
