import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../kernel/problem.ts'

export const etagOf = (identity: string | Buffer): string => `"${hash('sha1', identity, 'base64url')}"`

export const recordEtag = (id: number, version: number): string => `"${id}-${version}"`

/** Whether `If-None-Match` or `If-Match` names this tag, or any; weak marks, which proxies add, do not count. */
export const namesEtag = (header: string | undefined, etag: string): boolean =>
  header === '*' ||
  (header !== undefined && header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag))

/** Sends ready-made JSON; 304 without a body when `If-None-Match` names what the caller has (RFC 9110 13.1.2). */
export const sendJson = (
  request: FastifyRequest,
  reply: FastifyReply,
  body: Buffer | string,
  etag: string,
): FastifyReply => {
  reply.header('ETag', etag).header('Cache-Control', 'private, no-cache')
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (isRead && namesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.header('Content-Type', 'application/json; charset=utf-8').send(body)
}

/** RFC 9110 13.1.1: a change that was based on an old version must not be made. */
export const checkIfMatch = (request: FastifyRequest, etag: string): void => {
  const wanted = request.headers['if-match']
  if (wanted !== undefined && !namesEtag(wanted, etag))
    throw new Problem('stale', 'The record has changed since the version that If-Match names; read it again.')
}
