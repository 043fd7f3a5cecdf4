/** Appearance of captions. The style sheet has one rule for each value. */
export const lookChoices = {
  size: ['small', 'medium', 'large', 'huge'],
  color: ['white', 'yellow', 'cyan', 'green'],
  background: ['shade', 'solid', 'none'],
  position: ['bottom', 'top'],
} as const

export type LookPart = keyof typeof lookChoices
export type CaptionLook = { readonly [Part in LookPart]: (typeof lookChoices)[Part][number] }

export const usualLook: CaptionLook = {
  size: 'medium',
  color: 'white',
  background: 'shade',
  position: 'bottom',
}

export const isLook = (value: unknown): value is CaptionLook =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(lookChoices).every(([part, choices]) =>
    (choices as readonly unknown[]).includes((value as Record<string, unknown>)[part]),
  )

type PlacedCue = Pick<VTTCue, 'line'>

/**
 * Moves cues without a place of their own to the top, and back. A cue that the author placed, for example beside
 * its speaker, stays there.
 */
export const createCueMover = (): ((cues: Iterable<PlacedCue>, isTop: boolean) => void) => {
  const moved = new WeakSet<PlacedCue>()
  return (cues, isTop) => {
    for (const cue of cues) {
      if (isTop && cue.line === 'auto') {
        cue.line = 0
        moved.add(cue)
      } else if (!isTop && moved.delete(cue)) cue.line = 'auto'
    }
  }
}

/** Shows captions in the look that the returned function sets. */
export const applyLook = (
  stage: HTMLElement,
  video: HTMLVideoElement,
  look: CaptionLook,
): ((look: CaptionLook) => void) => {
  const move = createCueMover()
  let isTop = false
  const place = (): void => {
    for (const track of video.textTracks) move([...(track.cues ?? [])] as VTTCue[], isTop)
  }
  // The engine adds cues during playback, and tracks whose first cue is active at once.
  const placeNew = (): void => {
    if (isTop) place()
  }
  video.textTracks.addEventListener('addtrack', ({ track }) => track?.addEventListener('cuechange', placeNew))
  video.addEventListener('timeupdate', placeNew)
  const set = (next: CaptionLook): void => {
    isTop = next.position === 'top'
    for (const [part, value] of Object.entries(next)) stage.setAttribute(`data-cue-${part}`, value)
    place()
  }
  set(look)
  return set
}
