import { Registry } from 'prom-client'
import { addCounter, addGauge } from '../../platform/telemetry/scraped-metrics.ts'
import type { LiveDelivery } from './delivery/live-delivery.ts'
import type { LadderSlots } from './outputs/ladder/ladder-slots.ts'
import type { Broadcasts } from './broadcast/broadcasts.ts'

export interface LiveMetricsOptions {
  readonly broadcasts: Pick<Broadcasts, 'all' | 'totals'>
  readonly delivery: Pick<LiveDelivery, 'statsOf' | 'waiterCount'>
  readonly slots: Pick<LadderSlots, 'takenCount'>
  readonly sentBytes: () => number
}

const states = ['connected', 'online', 'reconnecting'] as const

export const createLiveMetrics = (options: LiveMetricsOptions): Registry => {
  const { broadcasts, delivery, slots } = options
  const registry = new Registry()
  const gauge = (name: string, help: string, read: () => number): void =>
    addGauge(registry, { name, help, read })
  const counter = (name: string, help: string, read: () => number): void =>
    addCounter(registry, { name, help, read })

  addGauge(registry, {
    name: 'zoetrope_live_streams',
    help: 'Broadcasts of this node, by state.',
    labelNames: ['state'],
    read: () => {
      const all = broadcasts.all()
      return states.map((state) => ({
        labels: { state },
        value: all.filter((broadcast) => broadcast.state === state).length,
      }))
    },
  })
  gauge('zoetrope_live_viewers', 'Viewers that have loaded a playlist within 30 seconds.', () =>
    broadcasts.all().reduce((sum, { channel }) => sum + delivery.statsOf(channel.playoutId).viewers, 0),
  )
  gauge(
    'zoetrope_live_blocked_requests',
    'Blocked requests that wait for a part or a playlist.',
    delivery.waiterCount,
  )
  gauge('zoetrope_live_ladders', 'Streams whose lower rungs are being encoded.', slots.takenCount)
  gauge(
    'zoetrope_live_recordings',
    'Recordings in progress.',
    () => broadcasts.all().filter(({ recorder }) => recorder.state()?.state === 'recording').length,
  )
  counter(
    'zoetrope_live_received_bytes_total',
    'Video and audio bytes received from publishers.',
    () => broadcasts.totals().receivedBytes,
  )
  counter(
    'zoetrope_live_sent_bytes_total',
    'Bytes sent to viewers and other nodes, including headers.',
    options.sentBytes,
  )
  counter(
    'zoetrope_live_dropped_frames_total',
    'Frames missing from the received streams.',
    () => broadcasts.totals().droppedFrames,
  )
  return registry
}
