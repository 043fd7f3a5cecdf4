import type { Socket } from 'node:net'
import type { Amf0Object } from './amf0-value.ts'
import { ClientConnection, type RtmpAddress } from './client-connection.ts'
import type { AudioCodec, MediaMessage, VideoCodec } from './media-message.ts'
import { messageTypes } from './message.ts'
import { command } from './write-command.ts'
import { writeMediaTag } from './write-media-tag.ts'

/** A publish of ours on somebody's server, from its acceptance to its end. */
export interface RtmpPush {
  /** H.264 and AAC are taken by all; other codecs by servers that name them when asked. */
  readonly takes: (codec: VideoCodec | AudioCodec) => boolean
  /** Returns at once. What the socket can't take yet waits in memory: see `waitingBytes`. */
  readonly send: (message: MediaMessage) => void
  readonly waitingBytes: () => number
  /** Resolves with the reason, a sentence without secrets. Never rejects. */
  readonly ended: Promise<string>
  /** Says goodbye and hangs up. */
  readonly close: () => void
}

export interface ClientTimeouts {
  /** From the connected socket to the server's consent. */
  readonly startMs: number
}

const legacyCodecs = new Set<string>(['avc1', 'mp4a'])

/** Publishes over a connected socket. Throws RtmpError when the server refuses, or does not consent in time. */
export const publishTo = async (
  socket: Socket,
  address: RtmpAddress,
  timeouts: ClientTimeouts,
): Promise<RtmpPush> => {
  const connection = new ClientConnection(socket)
  const timer = setTimeout(() => connection.close('The server did not answer in time.'), timeouts.startMs)
  try {
    const properties = await connection.connect(address)
    // What FMLE says before; some servers wait for it, none needs the answers.
    void connection.call('releaseStream', null, address.streamName)
    void connection.call('FCPublish', null, address.streamName)
    const streamId = await connection.createStream()
    await connection.ask(streamId, 'publish', null, address.streamName, 'live')
    return pushOn(connection, streamId, fourCCsOf(properties), address.streamName)
  } catch (error) {
    connection.close('The publish failed.')
    throw error
  } finally {
    clearTimeout(timer)
  }
}

const pushOn = (
  connection: ClientConnection,
  streamId: number,
  fourCCs: ReadonlySet<string>,
  streamName: string,
): RtmpPush => ({
  takes: (codec) => legacyCodecs.has(codec) || fourCCs.has(codec) || fourCCs.has('*'),
  send: (message) => {
    const tag = writeMediaTag(message)
    if (tag === null) return
    const timestamp = 'timestampMs' in message ? Math.round(message.timestampMs) % 2 ** 32 : 0
    connection.send({ ...tag, chunkStreamId: chunkStreamOf(tag.type), streamId, timestamp })
  },
  waitingBytes: () => connection.waitingBytes,
  ended: connection.ended,
  close: () => {
    void connection.call('FCUnpublish', null, streamName)
    connection.send(command(0, 'deleteStream', 0, null, streamId))
    connection.close('The push was ended by us.')
  },
})

const chunkStreamOf = (type: number): 4 | 5 | 6 =>
  type === messageTypes.video ? 6 : type === messageTypes.audio ? 4 : 5

/** E-RTMP: a list of FourCCs, or an object for each kind whose keys are FourCCs. */
const fourCCsOf = (properties: Amf0Object): ReadonlySet<string> => {
  const list = properties['fourCcList']
  const maps = [properties['videoFourCcInfoMap'], properties['audioFourCcInfoMap']]
  return new Set([
    ...(Array.isArray(list) ? list.filter((value) => typeof value === 'string') : []),
    ...maps.flatMap((map) => (typeof map === 'object' && map !== null ? Object.keys(map) : [])),
  ])
}
