import type { FastifyRequest } from 'fastify'

/** Returns whether `Accept-Encoding` lists gzip with a weight above 0 (RFC 9110 12.5.3). */
export const takesGzip = ({ headers }: FastifyRequest): boolean =>
  /(?:^|,)\s*gzip\s*(?:,|;(?!\s*q=0(?:\.0*)?\s*(?:,|$))|$)/i.test(headers['accept-encoding'] ?? '')
