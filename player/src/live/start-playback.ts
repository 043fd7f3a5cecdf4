import { startHls } from './hls-playback.ts'
import { startNative } from './native-playback.ts'
import type { Playback, PlaybackOptions } from './playback.ts'

/** Safari plays better by itself, AirPlay included. Others claim native HLS and play it unreliably. */
const isNative = (video: HTMLVideoElement): boolean =>
  'WebKitPlaybackTargetAvailabilityEvent' in self && video.canPlayType('application/vnd.apple.mpegurl') !== ''

/** Null where the browser can't play it at all. The engine is loaded here, when there is something to play. */
export const startPlayback = async (options: PlaybackOptions): Promise<Playback | null> =>
  isNative(options.video) ? startNative(options) : startHls(options)
