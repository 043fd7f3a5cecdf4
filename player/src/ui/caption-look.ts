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
 * Moves cues without a place of their own to the top, and back, and returns those that it has moved. A cue that
 * the author placed, for example beside its speaker, stays there.
 */
export const createCueMover = () => {
  const atTop = new WeakSet<PlacedCue>()
  return <Cue extends PlacedCue>(cues: readonly Cue[], isTop: boolean): Cue[] =>
    cues.filter((cue) => {
      const isDue = isTop ? cue.line === 'auto' : atTop.delete(cue)
      if (!isDue) return false
      cue.line = isTop ? 0 : 'auto'
      if (isTop) atTop.add(cue)
      return true
    })
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
    for (const track of video.textTracks)
      for (const cue of move([...(track.cues ?? [])] as VTTCue[], isTop)) {
        // Chromium lays out a cue that it shows only when it is added.
        track.removeCue(cue)
        track.addCue(cue)
      }
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
