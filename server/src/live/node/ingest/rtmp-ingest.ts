import { createRtmpServer, type PublishEnd, type PublishRequest, type RtmpServer } from '@zoetrope/rtmp'
import { liveReason, type LiveReason } from '../../control/api/live-reason.ts'
import { newMessage } from '../../../platform/base/message.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { Admissions } from './admission/admit-publisher.ts'
import type { LivePublisher } from '../channel/live-publisher.ts'
import type { Broadcast } from '../broadcast/broadcast.ts'

/** Records show the address as `rtmp://host/live/KEY`. */
const appName = 'live'
const wrongApp = `The address ends in /${appName}, as in rtmp://host/${appName}, and the stream key stands in a field of its own.`

/** Encoders split the address differently; the key is always the last segment. */
const keyOf = ({ app, streamKey }: PublishRequest): string | null => {
  const segments = `${app}/${streamKey}`.split('/').filter((segment) => segment !== '')
  return segments[0] === appName ? (segments.at(-1) ?? null) : null
}

export const createRtmpIngest = ({
  admissions,
  protocol,
  log,
}: {
  readonly admissions: Admissions
  readonly protocol: 'rtmp' | 'rtmps'
  readonly log: Log
}): RtmpServer => {
  /** Accepted publishers whose publish has not begun yet. */
  const accepted = new Map<symbol, Broadcast>()
  return createRtmpServer({
    authorize: async (request) => {
      const streamKey = keyOf(request)
      if (streamKey === null) return { refuse: wrongApp }
      const admission = await admissions.byKey(streamKey, request)
      if ('refuse' in admission) return admission
      const { broadcast } = admission
      if (request.signal.aborted) broadcast.cancelAdmission()
      else {
        accepted.set(request.id, broadcast)
        const cancel = () => {
          // Once it publishes, the end of the publish reports the disconnect instead.
          if (accepted.delete(request.id)) broadcast.cancelAdmission()
        }
        request.signal.addEventListener('abort', cancel, { once: true })
      }
      return { accept: true }
    },
    onPublish: async (publish) => {
      const broadcast = accepted.get(publish.id)
      accepted.delete(publish.id)
      // The connection has ended meanwhile.
      if (broadcast === undefined) return
      const { remoteAddress, encoder, messages, receivedBytes, ended, close } = publish
      const publisher: LivePublisher = {
        protocol,
        remoteAddress,
        encoder,
        messages,
        receivedBytes,
        ended: ended.then(reasonOfEnd),
        close,
      }
      await broadcast.take(publisher)
    },
    onError: (error) => log.error({ err: error, protocol }, 'a publisher connection failed'),
  })
}

/** The sentences of the RTMP server, with their reasons. */
const reasonOfEnd = (end: PublishEnd): LiveReason => {
  switch (end.code) {
    case 'unpublished':
      return liveReason(end.code, newMessage('live_unpublished'))
    case 'left':
      return liveReason(end.code, newMessage('live_publisher_left'))
    case 'lost':
      return liveReason(end.code, newMessage('live_connection_lost'))
    case 'timed_out':
      return liveReason(end.code, newMessage('live_publisher_timed_out', { detail: end.message }))
    case 'closed':
    case 'malformed':
    case 'refused':
    case 'server_failed':
    case 'too_large':
    case 'unsupported':
      return liveReason(end.code, newMessage('live_connection_closed', { detail: end.message }))
  }
}
