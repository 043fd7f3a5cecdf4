import { createRtmpServer, type PublishRequest, type RtmpServer } from '@zoetrope/rtmp'
import type { Log } from '../kernel/log.ts'
import type { Admissions } from './admit-publisher.ts'
import type { LivePublisher } from './live-publisher.ts'
import type { LiveSession } from './live-session.ts'

/** `rtmp://host/live/KEY` is what records say. */
const appName = 'live'
const wrongApp = `The address ends in /${appName}, as in rtmp://host/${appName}, and the stream key stands in a field of its own.`

/** Encoders split an address in their own ways: the key is what stands last. */
const keyOf = ({ app, streamKey }: PublishRequest): string | null => {
  const segments = `${app}/${streamKey}`.split('/').filter((segment) => segment !== '')
  return segments[0] === appName ? (segments.at(-1) ?? null) : null
}

/** Takes publishers from sockets of RTMP, and of RTMPS when `protocol` says so. */
export const createRtmpIngest = ({
  admissions,
  protocol,
  log,
}: {
  readonly admissions: Admissions
  readonly protocol: 'rtmp' | 'rtmps'
  readonly log: Log
}): RtmpServer => {
  /** Accepted; their publish begins in the next moment. */
  const accepted = new Map<symbol, LiveSession>()
  return createRtmpServer({
    authorize: async (request) => {
      const streamKey = keyOf(request)
      if (streamKey === null) return { refuse: wrongApp }
      const admission = await admissions.byKey(streamKey, request)
      if ('refuse' in admission) return admission
      const { session } = admission
      if (request.signal.aborted) session.forget()
      else {
        accepted.set(request.id, session)
        const forget = () => {
          // Once it publishes, its end is told otherwise.
          if (accepted.delete(request.id)) session.forget()
        }
        request.signal.addEventListener('abort', forget, { once: true })
      }
      return { accept: true }
    },
    onPublish: async (publish) => {
      const session = accepted.get(publish.id)
      accepted.delete(publish.id)
      // Its connection has ended since.
      if (session === undefined) return
      const { remoteAddress, encoder, messages, receivedBytes, ended, close } = publish
      const publisher: LivePublisher = {
        protocol,
        remoteAddress,
        encoder,
        messages,
        receivedBytes,
        ended,
        close,
      }
      await session.take(publisher)
    },
    onError: (error) => log.error({ err: error, protocol }, 'a publisher could not be served'),
  })
}
