import { isAmf0Object, type Amf0Value } from '../amf0/amf0-value.ts'
import type { Command } from '../messages/command.ts'
import { RtmpError } from '../wire/rtmp-error.ts'

export interface ConnectRequest {
  readonly app: string
  readonly query: string
  readonly encoder: string
}

/** Real names and keys are short; longer ones are attacks or probes. */
const longestNameCharacters = 1_024

export const readConnect = (command: Command): ConnectRequest => {
  const properties = command.arguments[0]
  if (!isAmf0Object(properties)) throw new RtmpError('malformed', 'The command connect has no properties.')
  const { name, query } = splitQuery(shortText(properties['app']))
  const encoder = properties['flashVer']
  return {
    app: name.replace(/^\/+|\/+$/g, ''),
    query,
    encoder: typeof encoder === 'string' ? encoder.slice(0, longestNameCharacters) : '',
  }
}

/**
 * Returns the stream key of a `publish` command. The publishing types `live`, `record` and `append` are
 * treated alike.
 */
export const readPublish = (command: Command): { streamKey: string; query: string } => {
  const { name, query } = splitQuery(shortText(command.arguments[1]))
  if (name === '') throw new RtmpError('refused', 'The stream key is missing.')
  return { streamKey: name, query }
}

const shortText = (value: Amf0Value): string => {
  if (typeof value !== 'string' || value.length > longestNameCharacters)
    throw new RtmpError('malformed', 'The name of the application or stream is not a text or too long.')
  return value
}

const splitQuery = (text: string): { name: string; query: string } => {
  const at = text.indexOf('?')
  return at === -1 ? { name: text, query: '' } : { name: text.slice(0, at), query: text.slice(at + 1) }
}
