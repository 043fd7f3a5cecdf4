import { startHls } from './hls-playback.ts'
import { startNative } from './native-playback.ts'
import type { Playback, PlaybackOptions } from './playback.ts'

/**
 * Safari plays HLS better natively, including AirPlay. Other browsers claim native HLS and play it
 * unreliably.
 */
const isNative = (video: HTMLVideoElement): boolean =>
  'WebKitPlaybackTargetAvailabilityEvent' in self && video.canPlayType('application/vnd.apple.mpegurl') !== ''

/** Returns null when the browser cannot play the stream. Loads the engine, so it must only run on play. */
export const startPlayback = async (options: PlaybackOptions): Promise<Playback | null> =>
  isNative(options.video) ? startNative(options) : startHls(options)
