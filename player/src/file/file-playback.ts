import { loadingUnder, type Addresses } from '../engine/addresses.ts'
import { aligningLoader } from './align-segments.ts'
import { audioOfBrowser, audioOfEngine, type AudioChoices } from '../engine/audio-choices.ts'
import { choicesOf, type Choices } from '../engine/choices.ts'
import { loadEngine } from '../engine/load-engine.ts'
import { startsOf } from '../playlist.ts'

const recoveriesAllowed = 3

export type Loss = 'unsupported' | 'expired' | 'gone'

export interface FilePlayback {
  readonly choices: Choices | null
  readonly audio: AudioChoices | null
  /** Continues under a new link after the old one expired. */
  readonly resume: () => void
  /** Reloads the playlist and continues at the current position. */
  readonly reload: () => void
  readonly stop: () => void
}

export interface FilePlaybackOptions {
  readonly video: HTMLVideoElement
  readonly addresses: Addresses
  readonly startSeconds: number
  readonly onLost: (loss: Loss) => void
  readonly onQuality: () => void
  /** Language from the page URL, if any. */
  readonly audioLanguage: string | null
  readonly onAudio: () => void
  readonly onStarts: (startsSeconds: readonly number[]) => void
}

export const canPlayNatively = (video: HTMLVideoElement): boolean =>
  video.canPlayType('application/vnd.apple.mpegurl') !== ''

export const playNatively = ({
  video,
  addresses,
  startSeconds,
  onLost,
  audioLanguage,
  onAudio,
}: Omit<FilePlaybackOptions, 'onQuality' | 'onStarts'>): FilePlayback => {
  const load = (fromSeconds: number): void => {
    const wasPaused = video.paused
    video.src = addresses.of('main.m3u8')
    video.addEventListener('loadedmetadata', () => (video.currentTime = fromSeconds), { once: true })
    if (!wasPaused) void video.play().catch(() => undefined)
  }
  const lose = (): void => {
    const expiresAt = addresses.expiresAt()
    onLost(expiresAt !== null && expiresAt.getTime() <= Date.now() ? 'expired' : 'gone')
  }
  video.addEventListener('error', lose)
  load(startSeconds)
  const again = (): void => load(video.currentTime)
  return {
    choices: null,
    audio: audioOfBrowser(video, { wanted: audioLanguage, onChange: onAudio }),
    resume: again,
    reload: again,
    stop: () => video.removeEventListener('error', lose),
  }
}

/** Plays the video of a file or the stream of a playlist. Loads the engine, so it must only run on play. */
export const startFile = async (options: FilePlaybackOptions): Promise<FilePlayback | null> => {
  const { video, addresses, startSeconds, onLost } = options
  const { Hls, ErrorTypes, Events } = await loadEngine()
  // Media Source Extensions take precedence: some browsers claim native HLS and play it unreliably.
  if (!Hls.isSupported()) return canPlayNatively(video) ? playNatively(options) : null
  const hls = new Hls({
    capLevelToPlayerSize: true,
    startPosition: startSeconds > 0 ? startSeconds : -1,
    fLoader: aligningLoader(Hls),
    ...loadingUnder(addresses),
  })
  hls.on(Events.LEVEL_UPDATED, (_event, { details }) => options.onStarts(startsOf(details)))
  hls.on(Events.LEVEL_SWITCHED, options.onQuality)
  const audio = audioOfEngine(hls, Events, { wanted: options.audioLanguage, onChange: options.onAudio })
  let recoveries = 0
  hls.on(Events.ERROR, (_event, error) => {
    if (!error.fatal) return
    recoveries += 1
    const status = error.response?.code
    if (status === 403 && addresses.expiresAt() !== null) onLost('expired')
    else if (recoveries <= recoveriesAllowed && error.type === ErrorTypes.MEDIA_ERROR) hls.recoverMediaError()
    else if (recoveries <= recoveriesAllowed && status === undefined) hls.startLoad()
    else {
      hls.destroy()
      onLost('gone')
    }
  })
  hls.loadSource(addresses.of('main.m3u8'))
  hls.attachMedia(video)
  const reload = (): void => {
    hls.config.startPosition = video.currentTime
    const wasPaused = video.paused
    hls.loadSource(addresses.of('main.m3u8'))
    if (!wasPaused) void video.play().catch(() => undefined)
  }
  return {
    choices: choicesOf(hls),
    audio,
    resume: () => {
      recoveries = 0
      if (hls.levels.length === 0) reload()
      else hls.startLoad(video.currentTime)
    },
    reload,
    stop: () => hls.destroy(),
  }
}
