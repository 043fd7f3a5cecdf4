const afterMs = 3_000

/** Hides the controls during playback while the viewer is inactive. */
export const hideControls = (stage: HTMLElement, video: HTMLVideoElement): void => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const hide = (): void => {
    // A keyboard user must see the focus, and an open menu must stay visible.
    const isUsed = stage.querySelector('.controls :focus-visible, [aria-expanded=true]') !== null
    if (video.paused || isUsed) return wake()
    stage.classList.add('idle')
  }
  const wake = (): void => {
    stage.classList.remove('idle')
    clearTimeout(timer)
    timer = setTimeout(hide, afterMs)
  }
  for (const event of ['pointermove', 'pointerdown', 'keydown', 'focusin'])
    stage.addEventListener(event, wake)
  stage.addEventListener('pointerleave', hide)
  for (const event of ['pause', 'playing']) video.addEventListener(event, wake)
  wake()
}
