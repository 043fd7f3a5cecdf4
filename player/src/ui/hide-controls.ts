const afterMs = 3_000

/** Takes the controls out of the picture while nobody needs them. */
export const hideControls = (stage: HTMLElement, video: HTMLVideoElement): void => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const hide = (): void => {
    // Who goes through them by keyboard must see where they are, and who has opened a menu reads it.
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
