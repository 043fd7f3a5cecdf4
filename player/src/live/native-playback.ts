import type { LiveLimits, Playback, PlaybackOptions } from './playback.ts'

/** Approximate distance that browsers keep from the live edge, in seconds. */
const holdBackSeconds = { lowLatency: 1, usual: 6 }

/** Wide limits, because the seekable end advances by whole segments. */
const limits: LiveLimits = { liveWithinSeconds: 3, jumpAfterSeconds: 8, fastestRate: 1 }

type WithStartDate = HTMLVideoElement & { readonly getStartDate?: () => Date }

export const startNative = ({ video, addresses, isLowLatency, onLost }: PlaybackOptions): Playback => {
  const source = (): string => addresses.of(isLowLatency ? 'll.m3u8' : 'main.m3u8')
  let isLost = false
  const lose = (): void => {
    isLost = true
    onLost()
  }
  video.addEventListener('error', lose)
  video.src = source()
  return {
    choices: null,
    limits,
    livePosition: () => {
      const { seekable } = video
      if (seekable.length === 0) return null
      return seekable.end(seekable.length - 1) - holdBackSeconds[isLowLatency ? 'lowLatency' : 'usual']
    },
    shownAtMs: () => {
      const startMs = (video as WithStartDate).getStartDate?.().getTime() ?? Number.NaN
      return Number.isNaN(startMs) ? null : startMs + video.currentTime * 1_000
    },
    resume: () => {
      if (!isLost) return
      isLost = false
      video.src = source()
      void video.play().catch(() => undefined)
    },
    stop: () => {
      video.removeEventListener('error', lose)
      video.removeAttribute('src')
      video.load()
    },
  }
}
