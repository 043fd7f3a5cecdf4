import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from '@zoetrope/vocabulary'
import { liveReason } from '../../../control/api/live-reason.ts'
import { newMessage } from '../../../../platform/base/message.ts'
import type { Database } from '../../../../platform/db/database.ts'
import type { Log } from '../../../../platform/log/log.ts'
import type { Secrets } from '../../../../platform/base/secrets.ts'
import { replacedBy, type Admissions } from '../admission/admit-publisher.ts'
import { readStreamByPlayoutId, type OwnedStream } from '../../cluster/owned-stream.ts'
import { openFfmpegPublisher } from '../sources/ffmpeg-publisher.ts'
import { openByItsMedia } from '../sources/reading.ts'
import { SourceError } from '../sources/source-error.ts'
import type { LogToStream } from '../sources/source-log.ts'
import { findFreeUdpPort } from './srt-bridge.ts'
import { receiveSrt, transportStreamArguments } from './srt-receiver.ts'
import { openSrtFront, type SrtCall, type SrtCallee, type SrtFront, type SrtListener } from './srt-front.ts'

export interface SrtIngestOptions {
  readonly host: string
  readonly port: number
  readonly maxStreams: number
  /** 0 = no limit. */
  readonly connectionsPerAddress: number
  readonly database: Database
  readonly secrets: Secrets
  readonly admissions: Pick<Admissions, 'toProject'>
  readonly logToStream: LogToStream
  readonly log: Log
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** Latency of the local listener: the time in which a lost packet can be retransmitted. */
const latencyMicroseconds = 120_000
/** The listener is on this machine, so this limits the time from the handshake to the first frames. */
const openMs = 20_000

interface PresentCall {
  readonly receivedAtMs: SrtCall['receivedAtMs']
  /** Resolves when the stream is free for another call. */
  readonly replace: () => Promise<void>
}

/** A transport stream has many packets a second, so a caller that is silent for this long has gone. */
const silenceMs = 500
/** Packets that a busy node has not read yet arrive within this time. */
const unreadMs = 100

/**
 * Accepts callers on one UDP port. The stream id is the playout id of the stream, and the passphrase
 * authenticates the caller.
 */
export const openSrtIngest = (options: SrtIngestOptions): Promise<SrtFront> => {
  const { database, secrets, logToStream } = options
  const calls = new Map<number, PresentCall>()

  const listen = async (
    stream: OwnedStream,
    passphrase: string,
    { address, signal, receivedAtMs }: SrtCall,
  ): Promise<SrtListener | null> => {
    const projectId = stream.project_id
    const present = calls.get(projectId)
    if (present !== undefined && (await isDead(present))) await present.replace()
    const admission = await options.admissions.toProject(projectId, 'srt', {
      remoteAddress: address,
      encoder: '',
    })
    if ('refuse' in admission) return null
    const { broadcast } = admission
    // The checked passphrase is outdated: each new stream key comes with a new passphrase.
    if (!broadcast.stream.stream_key_hash.equals(stream.stream_key_hash)) {
      broadcast.cancelAdmission()
      return null
    }
    const port = await findFreeUdpPort().catch((error: unknown) => {
      broadcast.cancelAdmission()
      throw error
    })
    const over = new AbortController()
    const untilOver = AbortSignal.any([signal, over.signal])
    const publish = async (): Promise<void> => {
      const receiver = receiveSrt(listenerAt(port, passphrase), untilOver)
      try {
        const publisher = await openByItsMedia((reading) =>
          openFfmpegPublisher({
            protocol: 'srt',
            remoteAddress: address,
            reading,
            inputArguments: transportStreamArguments,
            input: receiver.stream.read(),
            atEnd: () => liveReason('left', newMessage('live_srt_caller_left')),
            openMs,
            signal: untilOver,
          }),
        )
        receiver.stream.keepNothing()
        await broadcast.take(publisher)
      } catch (error) {
        broadcast.cancelAdmission()
        if (!(error instanceof SourceError)) throw error
        if (error.code !== 'ended') logToStream(stream, 'srt_failed', messageOf(receiver.failure() ?? error))
      } finally {
        over.abort()
        await receiver.ended
      }
    }
    const ended = publish()
    const call: PresentCall = {
      receivedAtMs,
      replace: async () => {
        broadcast.cut(replacedBy)
        over.abort()
        await ended.catch(() => {})
      },
    }
    calls.set(projectId, call)
    const removeCall = (): void => {
      if (calls.get(projectId) === call) calls.delete(projectId)
    }
    ended.then(removeCall, removeCall)
    return { port, ended }
  }

  const find = async (streamId: string): Promise<SrtCallee | null> => {
    if (!uuid.test(streamId)) return null
    const stream = await readStreamByPlayoutId(database.kysely, streamId)
    if (stream === undefined || stream.current_kind !== 'srt' || !stream.is_wanted) return null
    const passphrase = secrets.liveNodes.open(stream.sealed_srt_passphrase).toString()
    return {
      passphrase,
      onWrongPassphrase: (address) =>
        logToStream(stream, 'wrong_passphrase', newMessage('live_srt_passphrase_wrong', { address })),
      answer: (call) => listen(stream, passphrase, call),
    }
  }

  return openSrtFront({
    host: options.host,
    port: options.port,
    maxCallers: options.maxStreams,
    maxCallersPerAddress: options.connectionsPerAddress,
    find,
    onError: (error) => options.log.warn({ err: error }, 'an SRT connection failed'),
  })
}

/** A caller that crashes or loses its network sends no shutdown; it only falls silent. */
const isDead = async ({ receivedAtMs }: PresentCall): Promise<boolean> => {
  const atMs = receivedAtMs()
  await delay(Math.max(unreadMs, atMs + silenceMs - performance.now()))
  return receivedAtMs() === atMs
}

const listenerAt = (port: number, passphrase: string) => ({
  options: [
    ...['-passphrase', passphrase, '-latency', String(latencyMicroseconds)],
    ...['-mode', 'listener'],
  ],
  url: `srt://127.0.0.1:${port}`,
})
