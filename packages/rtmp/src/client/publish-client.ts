import type { Socket } from 'node:net'
import type { Amf0Object } from '../amf0/amf0-value.ts'
import { ClientConnection, type RtmpAddress } from './client-connection.ts'
import type { AudioCodec, MediaMessage, VideoCodec } from '../messages/media-message.ts'
import { messageTypes } from '../wire/message.ts'
import { command } from '../messages/write-command.ts'
import { writeMediaTag } from '../media/write-media-tag.ts'

export interface RtmpPush {
  /**
   * All servers accept H.264 and AAC. Other codecs require a server that lists them in its answer to connect.
   */
  readonly takes: (codec: VideoCodec | AudioCodec) => boolean
  /** Returns immediately. Data that the socket cannot send yet stays in memory: see `waitingBytes`. */
  readonly send: (message: MediaMessage) => void
  readonly waitingBytes: () => number
  /** Resolves with the reason as a sentence without secrets. Never rejects. */
  readonly ended: Promise<string>
  readonly close: () => void
}

export interface ClientTimeouts {
  /** Maximum time from the connected socket to the server's acceptance. */
  readonly startMs: number
}

const legacyCodecs = new Set<string>(['avc1', 'mp4a'])

/** Publishes over a connected socket. Throws RtmpError when the server refuses or does not accept in time. */
export const publishTo = async (
  socket: Socket,
  address: RtmpAddress,
  timeouts: ClientTimeouts,
): Promise<RtmpPush> => {
  const connection = new ClientConnection(socket)
  const timer = setTimeout(() => connection.close('The server did not respond in time.'), timeouts.startMs)
  try {
    const properties = await connection.connect(address)
    // FMLE sends these commands first. Some servers wait for them, and the answers are irrelevant.
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

/** E-RTMP: a list of FourCCs, or one object per kind with FourCCs as keys. */
const fourCCsOf = (properties: Amf0Object): ReadonlySet<string> => {
  const list = properties['fourCcList']
  const maps = [properties['videoFourCcInfoMap'], properties['audioFourCcInfoMap']]
  return new Set([
    ...(Array.isArray(list) ? list.filter((value) => typeof value === 'string') : []),
    ...maps.flatMap((map) => (typeof map === 'object' && map !== null ? Object.keys(map) : [])),
  ])
}
