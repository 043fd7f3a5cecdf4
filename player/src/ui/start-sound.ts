import { element } from './dom.ts'
import type { Texts } from '../locales/texts.ts'

export interface SoundStart {
  readonly button: HTMLElement
  /** Plays, muted where the browser blocks sound. */
  readonly play: () => Promise<void>
}

/** Browsers allow a page to start with sound only after a user interaction. */
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
