import type { LiveSink } from '@zoetrope/ll-hls'

/** Calls each sink in turn. Sinks may be added to the list later. */
export const joinSinks = (sinks: readonly LiveSink[]): LiveSink => ({
  onInit: (...made) => {
    for (const sink of sinks) sink.onInit?.(...made)
  },
  onPart: (...made) => {
    for (const sink of sinks) sink.onPart?.(...made)
  },
  onSegment: (...made) => {
    for (const sink of sinks) sink.onSegment?.(...made)
  },
})
