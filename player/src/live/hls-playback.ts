import { loadingUnder } from '../engine/addresses.ts'
import { loadEngine } from '../engine/load-engine.ts'
import { nearLiveSeconds } from '../controlled-player.ts'
import type { LiveLimits, Playback, PlaybackOptions } from './playback.ts'

/**
 * `maxLiveSyncPlaybackRate` and `liveMaxLatencyDuration` of hls.js stay unused. They also move viewers who
 * chose to stay behind, and the first works in low latency only, within one target duration.
 */
const limits: LiveLimits = { liveWithinSeconds: nearLiveSeconds, jumpAfterSeconds: 3, fastestRate: 1.1 }

/** Permitted number of recoveries from decode errors in a broadcast. */
const mediaRecoveriesAllowed = 3

export const startHls = async ({
  video,
  addresses,
  isLowLatency,
  onLost,
  onUnplayable,
  onQuality,
}: PlaybackOptions): Promise<Playback | null> => {
  const { choicesOf, ErrorDetails, ErrorTypes, Events, Hls } = await loadEngine()
  if (!Hls.isSupported()) return null
  const hls = new Hls({
    capLevelToPlayerSize: true,
    lowLatencyMode: isLowLatency,
    // The playlist sets the distance from the live edge; each stall adds this much to it.
    liveSyncOnStallIncrease: 0.3,
    // Exposes the seekable range in `video.seekable`, as native HLS does.
    liveDurationInfinity: true,
    backBufferLength: 60,
    // An initial estimate, used for one part only.
    abrEwmaDefaultEstimate: 2_000_000,
    ...loadingUnder(addresses),
  })
  let isLost = false
  let mediaRecoveries = 0
  hls.on(Events.ERROR, (_event, error) => {
    if (!error.fatal) return
    if (error.details === ErrorDetails.MANIFEST_INCOMPATIBLE_CODECS_ERROR) {
      // Renditions in another codec may follow, so `resume` tries again.
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
    resume: (isStuck) => {
      if (!isLost && !isStuck) return
      isLost = false
      // Seeks in quick succession can leave hls.js waiting for a segment that it has aborted itself.
      hls.stopLoad()
      // A failure before the first playlist needs a complete load.
      if (hls.levels.length === 0) hls.loadSource(source())
      else hls.startLoad(video.currentTime > 0 || video.seeking ? video.currentTime : -1)
    },
    stop: () => hls.destroy(),
    choices: choicesOf(hls),
  }
}
