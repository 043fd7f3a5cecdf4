import { element } from './dom.ts'
import type { Texts } from './texts.ts'

export interface SoundStart {
  readonly button: HTMLElement
  /** Plays, without sound where the browser does not allow it yet. */
  readonly play: () => Promise<void>
}

/** Browsers let a page begin with sound only where its viewer has done something before. */
export const createSoundStart = (stage: HTMLElement, video: HTMLVideoElement, texts: Texts): SoundStart => {
  const button = element('button', { type: 'button', class: 'sound-on' }, texts.unmute)
  button.addEventListener('click', () => {
    video.muted = false
    if (video.volume === 0) video.volume = 1
  })
  video.addEventListener('volumechange', () => {
    if (!video.muted) stage.classList.remove('muted-by-browser')
  })
  return {
    button,
    play: async () => {
      try {
        await video.play()
      } catch (error) {
        if (!(error instanceof DOMException) || error.name !== 'NotAllowedError') return
        video.muted = true
        stage.classList.add('muted-by-browser')
        await video.play().catch(() => undefined)
      }
    },
  }
}
