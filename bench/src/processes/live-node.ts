import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { defaultPackaging, LivePackager, LivePlaylists } from '@zoetrope/ll-hls'
import type { LiveChannel } from '../../../server/src/live/node/channel/live-channel.ts'
import { createLiveDelivery } from '../../../server/src/live/node/delivery/live-delivery.ts'
import { guardConnections } from '../../../server/src/live/node/connections/guard-connections.ts'
import { createLog } from '../../../server/src/platform/log/log.ts'
import { announce } from '../../../packages/ll-hls/test-support/publisher.ts'
import { sharedClockMs } from '../content/shared-clock.ts'
import { readOptions, report } from './child-side.ts'

export interface LiveNodeOptions {
  readonly playoutId: string
  readonly partTargetSeconds: number
  readonly windowSeconds: number
}

/** Time at which a video part was completed, by the clock of the machine. */
export interface PartMade {
  readonly part: string
  readonly atMs: number
}

/** The delivery part of a live node with one broadcast of 2.5 Mbit/s. */
const { playoutId, partTargetSeconds, windowSeconds } = readOptions() as LiveNodeOptions

// Parts are still produced while the parent exits.
process.on('error', () => process.exit(0))

const packager = new LivePackager({
  ...defaultPackaging,
  partTargetSeconds,
  windowSeconds,
  now: Date.now,
  sink: {
    onPart: (track, number, { index }) => {
      if (track === 'video')
        report({ part: `${number}.${index}.m4s`, atMs: sharedClockMs() } satisfies PartMade)
    },
  },
})
const listeners = new Set<() => void>()
const channel: LiveChannel = {
  accountId: 1,
  projectId: 1,
  playoutId,
  epoch: 0,
  packager,
  playlists: new LivePlaylists(packager),
  onChange: (run) => {
    listeners.add(run)
    return () => listeners.delete(run)
  },
}
const delivery = createLiveDelivery({
  channels: { find: (asked) => (asked === playoutId ? channel : undefined) },
  access: {
    factsOf: () => ({
      title: 'Bench',
      boardText: '',
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
      onlineSince: null,
      epoch: 0,
      node: null,
    }),
    refresh: () => {},
    grantOf: () => null,
  },
  mayBeLost: () => false,
  findPoster: async () => null,
  nodeId: 'bench',
  token: 'bench',
  publicUrl: 'http://127.0.0.1',
  ownPublicUrl: null,
  trustedProxies: [],
  log: createLog({ level: 'error' }),
})

announce(packager, { seconds: 0, pictureMs: () => 0, sampleRateHz: 48_000 })
const picture = Buffer.alloc(10_000, 7)
const sound = Buffer.alloc(300, 7)
const pictureMs = 1_000 / 30
const soundMs = 1_024 / 48
let pictures = 0
let sounds = 0

const publishUntil = (dueMs: number): void => {
  const before = pictures + sounds
  for (;;) {
    const timestampMs = Math.min(pictures * pictureMs, sounds * soundMs)
    if (timestampMs > dueMs) break
    if (timestampMs === pictures * pictureMs) {
      packager.addVideo({
        decodeMs: timestampMs,
        compositionMs: 0,
        isKeyFrame: pictures % 60 === 0,
        data: picture,
      })
      pictures += 1
    } else {
      packager.addAudio({ timestampMs, data: sound })
      sounds += 1
    }
  }
  if (pictures + sounds > before) for (const run of listeners) run()
}

const server = createServer()
guardConnections(server, delivery.handle, 30_000)
server.listen(0, '127.0.0.1', 8_192, () => {
  report({ port: (server.address() as AddressInfo).port })
  // The first viewer finds a full window.
  const startedMs = performance.now() - (windowSeconds + 10) * 1_000
  const publish = () => publishUntil(performance.now() - startedMs)
  publish()
  setInterval(publish, 5)
})
