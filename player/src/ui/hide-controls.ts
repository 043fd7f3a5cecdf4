const afterMs = 3_000
const used = '.controls :focus-visible, [aria-expanded=true], .theatre #playlist :focus-visible'

/** Hides the controls during playback while the viewer is inactive. */
export const hideControls = (stage: HTMLElement, video: HTMLVideoElement): void => {
  // In theatre mode, the list lies over the video.
  const area = stage.closest<HTMLElement>('.with-playlist') ?? stage
  let timer: ReturnType<typeof setTimeout> | undefined
  const hide = (): void => {
    // A keyboard user must see the focus, and an open menu must stay visible.
    const isUsed = area.querySelector(used) !== null
    if (video.paused || isUsed) return wake()
    stage.classList.add('idle')
  }
  const wake = (): void => {
    stage.classList.remove('idle')
    clearTimeout(timer)
    timer = setTimeout(hide, afterMs)
  }
  for (const event of ['pointermove', 'pointerdown', 'keydown', 'focusin']) area.addEventListener(event, wake)
  // A finger leaves each time it is lifted.
  area.addEventListener('pointerleave', ({ pointerType }) => {
    if (pointerType !== 'touch') hide()
  })
  for (const event of ['pause', 'playing']) video.addEventListener(event, wake)
  wake()
}
