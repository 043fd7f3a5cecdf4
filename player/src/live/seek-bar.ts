import { clockText } from './clock.ts'
import { element } from './dom.ts'
import type { Texts } from './texts.ts'

/** Streams without a timeshift keep half a minute for those who load slowly; nobody seeks in that. */
const leastSeconds = 45

export interface SeekBar {
  readonly elements: readonly HTMLElement[]
  /** `livePosition` is its right end. */
  readonly show: (livePosition: number | null) => void
}

/** The part of the stream that viewers may go back to. It moves on; its right end is now. */
export const createSeekBar = (
  video: HTMLVideoElement,
  texts: Texts,
  seek: (position: number) => void,
): SeekBar => {
  const range = element('input', {
    type: 'range',
    class: 'seek',
    min: '0',
    step: '1',
    'aria-label': texts.position,
  })
  const time = element('span', { class: 'time', 'aria-hidden': 'true' })
  let startSeconds = 0
  let isHeld = false

  const say = (behindSeconds: number): void => {
    const text = clockText(behindSeconds)
    range.setAttribute('aria-valuetext', behindSeconds < 1 ? texts.live : texts.behind(text))
    time.textContent = behindSeconds < 1 ? '' : `−${text}`
    const most = Number(range.max)
    range.style.setProperty('--done', `${most === 0 ? 100 : (100 * Number(range.value)) / most}%`)
  }

  range.addEventListener('input', () => {
    isHeld = true
    say(Number(range.max) - Number(range.value))
  })
  // Where it is let go: each step in between would load a segment.
  range.addEventListener('change', () => {
    isHeld = false
    seek(startSeconds + Number(range.value))
  })

  return {
    elements: [range, time],
    show: (livePosition) => {
      const { seekable } = video
      startSeconds = seekable.length === 0 ? 0 : seekable.start(0)
      const lengthSeconds = livePosition === null || seekable.length === 0 ? 0 : livePosition - startSeconds
      range.hidden = lengthSeconds < leastSeconds
      time.hidden = range.hidden
      if (range.hidden || isHeld) return
      range.max = String(Math.round(lengthSeconds))
      const behindSeconds = Math.max(0, (livePosition ?? 0) - video.currentTime)
      range.value = String(Math.round(lengthSeconds - behindSeconds))
      say(behindSeconds < 3 ? 0 : behindSeconds)
    },
  }
}
