/** A broadcast that is played, whatever plays it. */
export interface Playback {
  /** Where one is who watches live; null until that is known. */
  readonly livePosition: () => number | null
  /** The instant, by the live node's clock, at which what is shown now came in. */
  readonly shownAtMs: () => number | null
  /** The server can be reached, and is live: what was given up is taken up again. */
  readonly goOn: () => void
  readonly stop: () => void
}

export interface PlaybackOptions {
  readonly video: HTMLVideoElement
  /** Ends before the names of playlists. */
  readonly base: string
  readonly isLowLatency: boolean
  /** The playback has given up until it is told to go on. */
  readonly onLost: () => void
}

/** Safari plays better by itself, AirPlay included. Others claim native HLS and play it unreliably. */
const isNative = (video: HTMLVideoElement): boolean =>
  'WebKitPlaybackTargetAvailabilityEvent' in self && video.canPlayType('application/vnd.apple.mpegurl') !== ''

/** Null where the browser can't play it at all. The engine is loaded here, when there is something to play. */
export const startPlayback = async (options: PlaybackOptions): Promise<Playback | null> => {
  if (isNative(options.video)) return (await import('./native-playback.ts')).startNative(options)
  return (await import('./hls-playback.ts')).startHls(options)
}
