import type { IncomingMessage } from 'node:http'
import { Problem } from '../base/problem.ts'

const hasSecondHost = (rawHeaders: readonly string[]): boolean => {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') count += 1
  return count > 1
}

type MessageReason = 'host_missing' | 'host_repeated' | 'transfer_encoding_unknown'

const refuse = (reason: MessageReason): never => {
  throw new Problem(reason, {}, { headers: { Connection: 'close' } })
}

/** Refuses messages that Node's parser accepts, but that a proxy may have parsed differently. */
export const checkMessage = ({ headers, httpVersion, rawHeaders }: IncomingMessage): void => {
  // RFC 9112 3.2.
  if (headers.host === undefined && httpVersion === '1.1') refuse('host_missing')
  if (hasSecondHost(rawHeaders)) refuse('host_repeated')
  // RFC 9112 6.1: the end of a body with another coding is unknown.
  const coding = headers['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') refuse('transfer_encoding_unknown')
}
