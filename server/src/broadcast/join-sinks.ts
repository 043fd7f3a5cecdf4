import type { LiveSink } from '@zoetrope/live'

/** Tells each in turn; others may still be added to the list. */
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
