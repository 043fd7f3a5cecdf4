import type { FastifyRequest } from 'fastify'

/** Whether `Accept-Encoding` names gzip, and not to refuse it (RFC 9110 12.5.3). */
export const takesGzip = ({ headers }: FastifyRequest): boolean =>
  /(?:^|,)\s*gzip\s*(?:,|;(?!\s*q=0(?:\.0*)?\s*(?:,|$))|$)/i.test(headers['accept-encoding'] ?? '')
