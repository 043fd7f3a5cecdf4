import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { defaultPackaging, LivePackager, LivePlaylists, type LivePackagerOptions } from '@zoetrope/ll-hls'
import {
  announce,
  send,
  unitsOf,
  type PublishedUnit,
  type PublisherShape,
} from '../../../../../../packages/ll-hls/test-support/publisher.ts'
import { createLog } from '../../../../platform/log/log.ts'
import type { LiveAccess, LiveStreamFacts } from '../../../../playback/live/live-access.ts'
import type { LiveChannel } from '../../channel/live-channel.ts'
import { createLiveDelivery, type LiveDelivery } from '../live-delivery.ts'
import type { DeliveryLimits } from '../broadcast-answers.ts'

const camera: PublisherShape = {
  seconds: 30,
  pictureMs: (index) => (index * 1_000) / 30,
  isKey: (index) => index % 60 === 0,
  sampleRateHz: 48_000,
  pictureBytes: 1_000,
}
const units = unitsOf(camera)

export interface WatchedStream {
  readonly origin: string
  /** Base URL of the stream, ending in `/l/<playoutId>/`. */
  readonly url: string
  readonly playoutId: string
  readonly packager: LivePackager
  readonly delivery: LiveDelivery
  /** Facts as the database would return them; tests change them. */
  facts: LiveStreamFacts | null
  /** Facts of all streams that another node has. */
  factsOfOthers: LiveStreamFacts | null
  nowMs: number
  mayBeLost: boolean
  readonly publish: (seconds: number) => void
  readonly end: () => void
  readonly stop: () => Promise<void>
}

/** Count of changes of the owner until the broadcast came to this node. */
export const ownEpoch = 3

export const publishedFacts: LiveStreamFacts = {
  title: 'Town hall',
  boardText: 'We begin at 18:00.',
  endedText: '',
  hasPoster: false,
  state: 'online',
  isEnabled: true,
  isLowLatency: true,
  releaseStatus: 'published',
  needsToken: false,
  allowedDomains: [],
  playerColor: null,
  playerLogo: null,
  onlineSince: new Date('2026-03-01T12:00:00Z'),
  epoch: ownEpoch,
  node: null,
}

export const ownNodeId: string = randomUUID()
export const startMs: number = Date.UTC(2026, 2, 1, 12)
export const nodeToken = 'of-this-installation'

/** Starts a packager with canned frames, served by the HTTP handler of the node on a real port. */
export const startWatchedStream = async (
  limits?: Partial<DeliveryLimits>,
  {
    nodeId = ownNodeId,
    playoutId = randomUUID(),
    packaging,
  }: { nodeId?: string; playoutId?: string; packaging?: Partial<LivePackagerOptions> } = {},
): Promise<WatchedStream> => {
  const packager = new LivePackager({ ...defaultPackaging, now: () => startMs, ...packaging })
  const listeners = new Set<() => void>()
  const channel: LiveChannel = {
    accountId: 1,
    projectId: 1,
    playoutId,
    epoch: ownEpoch,
    packager,
    playlists: new LivePlaylists(packager),
    onChange: (run) => {
      listeners.add(run)
      return () => listeners.delete(run)
    },
  }
  const changed = () => listeners.forEach((run) => run())
  announce(packager, camera)
  let next = 0
  let sentSeconds = 0

  const access: LiveAccess = {
    factsOf: (asked) => (asked === playoutId ? stream.facts : stream.factsOfOthers),
    refresh: () => {},
    grantOf: (_playoutId, token) =>
      token === null ? null : token.startsWith('preview') ? 'preview' : 'viewer',
  }
  const delivery = createLiveDelivery({
    channels: { find: (asked) => (asked === playoutId ? channel : undefined) },
    access,
    findPoster: async () => null,
    mayBeLost: () => stream.mayBeLost,
    nodeId,
    token: nodeToken,
    publicUrl: 'https://video.example',
    ownPublicUrl: 'https://balancer.example',
    trustedProxies: ['10.0.0.0/8'],
    log: createLog({ level: 'silent' }),
    now: () => stream.nowMs,
    ...(limits && { limits }),
  })
  const server = createServer(delivery.handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const stream: WatchedStream = {
    origin,
    url: `${origin}/l/${playoutId}/`,
    playoutId,
    packager,
    delivery,
    facts: publishedFacts,
    factsOfOthers: null,
    nowMs: startMs,
    mayBeLost: false,
    publish: (seconds) => {
      sentSeconds += seconds
      const isDue = ({ kind, unit }: PublishedUnit) =>
        (kind === 'video' ? unit.decodeMs : unit.timestampMs) < sentSeconds * 1_000
      for (let unit = units[next]; unit && isDue(unit); unit = units[++next]) send(packager, unit)
      changed()
    },
    end: () => {
      packager.end()
      changed()
    },
    stop: async () => {
      await delivery.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return stream
}
