import { Counter, Gauge, Registry } from 'prom-client'
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
  // Metrics belong to this registry only, because several nodes may run in one process.
  const registers: Registry[] = []

  const gauge = (name: string, help: string, read: () => number): void => {
    const collect = function (this: Gauge) {
      this.set(read())
    }
    registry.registerMetric(new Gauge({ name, help, registers, collect }))
  }
  const counter = (name: string, help: string, read: () => number): void => {
    const collect = function (this: Counter) {
      this.reset()
      this.inc(read())
    }
    registry.registerMetric(new Counter({ name, help, registers, collect }))
  }

  const streams = new Gauge({
    name: 'zoetrope_live_streams',
    help: 'Broadcasts of this node, by state.',
    labelNames: ['state'],
    registers,
    collect() {
      const all = broadcasts.all()
      for (const state of states)
        this.set({ state }, all.filter((broadcast) => broadcast.state === state).length)
    },
  })
  registry.registerMetric(streams)
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
