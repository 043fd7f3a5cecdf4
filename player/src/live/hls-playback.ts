import { loadingUnder } from '../engine/addresses.ts'
import { choicesOf } from '../engine/choices.ts'
import { loadEngine } from '../engine/load-engine.ts'
import { nearLiveSeconds } from '../controlled-player.ts'
import type { LiveLimits, Playback, PlaybackOptions } from './playback.ts'

/**
 * `maxLiveSyncPlaybackRate` and `liveMaxLatencyDuration` of hls.js stay unused: they also move viewers who chose to stay behind, and the first
 * one works in low latency only, within one target duration.
 */
const limits: LiveLimits = { liveWithinSeconds: nearLiveSeconds, jumpAfterSeconds: 3, fastestRate: 1.1 }

/** Pictures that are not what they shall be, so many times in a broadcast. */
const mediaRecoveriesAllowed = 3

export const startHls = async ({
  video,
  addresses,
  isLowLatency,
  onLost,
  onUnplayable,
  onQuality,
}: PlaybackOptions): Promise<Playback | null> => {
  const { ErrorDetails, ErrorTypes, Events, Hls } = await loadEngine()
  if (!Hls.isSupported()) return null
  const hls = new Hls({
    capLevelToPlayerSize: true,
    lowLatencyMode: isLowLatency,
    // The playlist sets the distance from the live edge; each stall adds this much to it.
    liveSyncOnStallIncrease: 0.3,
    // The time that can be sought then stands in `video.seekable`, as where a browser plays HLS by itself.
    liveDurationInfinity: true,
    backBufferLength: 60,
    // A first guess: it is wrong for one part only.
    abrEwmaDefaultEstimate: 2_000_000,
    ...loadingUnder(addresses),
  })
  let isLost = false
  let mediaRecoveries = 0
  hls.on(Events.ERROR, (_event, error) => {
    if (!error.fatal) return
    if (error.details === ErrorDetails.MANIFEST_INCOMPATIBLE_CODECS_ERROR) {
      // Lower rungs in another codec may come: it is looked at again when it is told to go on.
      isLost = true
      onUnplayable()
      return
    }
    if (error.type === ErrorTypes.MEDIA_ERROR && ++mediaRecoveries <= mediaRecoveriesAllowed) {
      hls.recoverMediaError()
      return
    }
    isLost = true
    onLost()
  })
  hls.on(Events.LEVEL_SWITCHED, onQuality)
  const source = (): string => addresses.of(isLowLatency ? 'll.m3u8' : 'main.m3u8')
  hls.loadSource(source())
  hls.attachMedia(video)
  return {
    livePosition: () => hls.liveSyncPosition,
    limits,
    shownAtMs: () => hls.playingDate?.getTime() ?? null,
    goOn: (isStuck) => {
      if (!isLost && !isStuck) return
      isLost = false
      // Seeks that follow each other closely can leave it waiting for a segment that it has broken off itself.
      hls.stopLoad()
      // What failed before there was a playlist has nothing to go on with.
      if (hls.levels.length === 0) hls.loadSource(source())
      else hls.startLoad(video.currentTime > 0 || video.seeking ? video.currentTime : -1)
    },
    stop: () => hls.destroy(),
    choices: choicesOf(hls),
  }
}
