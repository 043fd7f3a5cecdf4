import { loadingUnder, statusOf, type Addresses } from '../engine/addresses.ts'
import { audioOfBrowser, audioOfEngine, type AudioChoices } from '../engine/audio-choices.ts'
import type { Choices } from '../engine/choices.ts'
import { loadEngine } from '../engine/load-engine.ts'
import { startsOf } from '../playlist.ts'

const recoveriesAllowed = 3

/** `failed` and `codec` end the playback; the others can resume. */
export type Loss = 'unsupported' | 'expired' | 'failed' | 'offline' | 'codec'

export interface FilePlayback {
  readonly choices: Choices | null
  readonly audio: AudioChoices | null
  /** Loads the media of a prepared playback. */
  readonly begin: (startSeconds: number) => void
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
  /** Whether the playout has video. */
  readonly hasPicture: boolean
  /** Whether renditions other than the source are encoded when they are requested. */
  readonly isOnDemand: boolean
  /** `detail` names the cause for the log of the server. */
  readonly onLost: (loss: Loss, detail: string) => void
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
}: Omit<FilePlaybackOptions, 'hasPicture' | 'isOnDemand' | 'onQuality' | 'onStarts'>): FilePlayback => {
  const load = (fromSeconds: number): void => {
    const wasPaused = video.paused
    video.src = addresses.of('main.m3u8')
    video.addEventListener('loadedmetadata', () => (video.currentTime = fromSeconds), { once: true })
    if (!wasPaused) void video.play().catch(() => undefined)
  }
  const lose = (): void => {
    const leftMs = addresses.leftMs()
    const isExpired = leftMs !== null && leftMs <= 0
    // The next attempt adds the listener again, and two listeners would report each error twice.
    if (!isExpired) video.removeEventListener('error', lose)
    // MEDIA_ERR_SRC_NOT_SUPPORTED also stands for a playlist that cannot be loaded.
    onLost(isExpired ? 'expired' : 'failed', `native ${video.error?.code ?? 0}`)
  }
  video.addEventListener('error', lose)
  load(startSeconds)
  const again = (): void => load(video.currentTime)
  return {
    choices: null,
    audio: audioOfBrowser(video, { wanted: audioLanguage, onChange: onAudio }),
    begin: () => {},
    resume: again,
    reload: again,
    stop: () => video.removeEventListener('error', lose),
  }
}

/**
 * Our playlists have no interstitials, and their controller would resume what waits for `begin`. The types of
 * hls.js do not allow `undefined`, which removes a controller.
 */
const withoutInterstitials: object = { interstitialsController: undefined }

/**
 * Prepares the video of a file or the stream of a playlist: loads the engine and the playlists, and attaches the
 * video, but loads no media before `begin`. Null if the browser cannot do so; then `startFile` decides.
 */
export const prepareFile = async (options: FilePlaybackOptions): Promise<FilePlayback | null> => {
  const { video, addresses, startSeconds, onLost } = options
  const { aligningLoader, beginOnDemand, choicesOf, ErrorDetails, ErrorTypes, Events, hasOtherLadder, Hls } =
    await loadEngine()
  if (!Hls.isSupported()) return null
  const hls = new Hls({
    capLevelToPlayerSize: true,
    autoStartLoad: false,
    ...withoutInterstitials,
    ...(options.isOnDemand ? beginOnDemand() : {}),
    startPosition: positionOf(startSeconds),
    fLoader: aligningLoader(Hls),
    ...loadingUnder(addresses),
  })
  hls.on(Events.LEVEL_UPDATED, (_event, { details }) => options.onStarts(startsOf(details)))
  hls.on(Events.LEVEL_SWITCHED, options.onQuality)
  const audio = audioOfEngine(hls, Events, { wanted: options.audioLanguage, onChange: options.onAudio })
  const missingCodec: readonly string[] = [
    ErrorDetails.MANIFEST_INCOMPATIBLE_CODECS_ERROR,
    ErrorDetails.BUFFER_INCOMPATIBLE_CODECS_ERROR,
    ErrorDetails.BUFFER_ADD_CODEC_ERROR,
  ]
  // The engine drops what the browser cannot decode. The variant of sound alone, for slow networks, is left.
  hls.on(Events.MANIFEST_PARSED, (_event, { levels }) => {
    // The first variant plays at once.
    if (options.isOnDemand && !hasOtherLadder(levels, levels[hls.firstLevel]))
      hls.startLevel = hls.config.startLevel ?? hls.firstLevel
    if (
      options.hasPicture &&
      levels.every(({ width, videoCodec }) => width === 0 && videoCodec === undefined)
    ) {
      hls.destroy()
      onLost('codec', 'no video codec')
    } else if (!hls.config.autoStartLoad) {
      hls.startLoad(hls.config.startPosition)
      // Loads the playlists of the chosen quality and sound alone.
      hls.pauseBuffering()
    }
  })
  let recoveries = 0
  let isRefused = false
  let isChecking = false
  /** For a deleted video, the engine would repeat requests for 14 seconds. */
  const endIfDeleted = async (detail: string): Promise<void> => {
    if (isChecking) return
    isChecking = true
    const status = await statusOf(addresses)
    isChecking = false
    if (status !== 404) return
    hls.destroy()
    onLost('failed', detail)
  }
  hls.on(Events.ERROR, (_event, error) => {
    // Without an answer, the code is 0 or missing.
    const status = error.response?.code || undefined
    const detail = `${error.details} ${status ?? ''}`.trim()
    if (status === 403 && addresses.expiresAt() !== null) {
      // The engine would try each rendition before it gives up.
      hls.stopLoad()
      if (!isRefused) onLost('expired', detail)
      isRefused = true
      return
    }
    if (!error.fatal) return void (status === 404 && endIfDeleted(detail))
    if (error.type === ErrorTypes.NETWORK_ERROR && status === undefined) return onLost('offline', detail)
    const isCodec = missingCodec.includes(error.details)
    if (!isCodec && error.type === ErrorTypes.MEDIA_ERROR && ++recoveries <= recoveriesAllowed)
      return hls.recoverMediaError()
    hls.destroy()
    onLost(isCodec ? 'codec' : 'failed', detail)
  })
  hls.loadSource(addresses.of('main.m3u8'))
  hls.attachMedia(video)
  const reload = (): void => {
    isRefused = false
    hls.config.startPosition = video.currentTime
    const wasPaused = video.paused
    hls.loadSource(addresses.of('main.m3u8'))
    if (!wasPaused) void video.play().catch(() => undefined)
  }
  return {
    choices: choicesOf(hls),
    audio,
    begin: (seconds) => {
      hls.config.startPosition = positionOf(seconds)
      // Without the first playlist yet, the engine starts when it arrives.
      hls.config.autoStartLoad = true
      if (hls.levels.length === 0) return
      // Otherwise the sound would load, and be aborted by its own start.
      hls.stopLoad()
      hls.startLoad(positionOf(seconds))
    },
    resume: () => {
      recoveries = 0
      isRefused = false
      if (hls.levels.length === 0) reload()
      else hls.startLoad(video.currentTime)
    },
    reload,
    stop: () => hls.destroy(),
  }
}

/** `-1` is the beginning. */
const positionOf = (seconds: number): number => (seconds > 0 ? seconds : -1)

/** Plays the video of a file or the stream of a playlist. Loads the engine, so it must only run on play. */
export const startFile = async (
  options: FilePlaybackOptions,
  prepared: Promise<FilePlayback | null> = prepareFile(options),
): Promise<FilePlayback | null> => {
  const playback = await prepared
  playback?.begin(options.startSeconds)
  // Media Source Extensions take precedence: some browsers claim native HLS and play it unreliably.
  return playback ?? (canPlayNatively(options.video) ? playNatively(options) : null)
}
