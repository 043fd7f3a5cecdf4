import { nearLiveSeconds, type ControlledPlayer, type Timeline } from '../controlled-player.ts'
import { chapterAt, type Chapter } from './chapters.ts'
import { clockText } from './clock-text.ts'
import { element, write } from './dom.ts'
import type { Storyboard } from './storyboard.ts'
import { fill, type Texts } from '../locales/texts.ts'

/** Live streams without a DVR window keep half a minute for slow viewers, which needs no seek bar. */
const leastLiveSeconds = 45
/** Half the width of the thumb, in pixels: its centre at either end. */
const inset = 7

export interface SeekBar {
  readonly bar: HTMLElement
  readonly time: HTMLElement
  readonly show: () => void
}

const percent = (share: number): string => `${(100 * Math.min(1, Math.max(0, share))).toFixed(3)}%`

const bufferedStripes = ({ buffered }: HTMLVideoElement, { startSeconds, endSeconds }: Timeline): string => {
  const length = endSeconds - startSeconds
  const stops: string[] = []
  for (let index = 0; index < buffered.length; index += 1) {
    const from = percent((buffered.start(index) - startSeconds) / length)
    const to = percent((buffered.end(index) - startSeconds) / length)
    stops.push(`transparent ${from}, var(--loaded) ${from}, var(--loaded) ${to}, transparent ${to}`)
  }
  return stops.length === 0 ? 'none' : `linear-gradient(to right, ${stops.join(', ')})`
}

/** Shows the seekable range, the position, the buffered media and a preview of any position. */
export const createSeekBar = (
  player: ControlledPlayer,
  texts: Texts,
  around: { readonly chapters: () => readonly Chapter[]; readonly storyboard: Storyboard | null },
): SeekBar => {
  const { video } = player
  const isLive = player.kind === 'live'
  const range = element('input', { type: 'range', min: '0', step: '0.01', 'aria-label': texts.position })
  const loaded = element('div', { class: 'loaded' })
  const marks = element('div', { class: 'marks' })
  const rail = element('div', { class: 'rail' }, loaded, element('div', { class: 'done' }), marks)
  const picture = element('div', { class: 'tile' })
  const name = element('span', { class: 'name' })
  const clock = element('span', { class: 'clock' })
  const look = element('div', { class: 'look', 'aria-hidden': 'true' }, picture, name, clock)
  look.hidden = true
  const bar = element('div', { class: 'seek' }, rail, range, look)
  const time = element('span', { class: 'time', 'aria-hidden': 'true' })
  let known: Timeline | null = null
  let isHeld = false
  let marked: readonly Chapter[] = []

  const lengthSeconds = (): number => (known === null ? 0 : known.endSeconds - known.startSeconds)
  const behindOf = (seconds: number): number => {
    const behind = (known?.endSeconds ?? 0) - seconds
    return behind < nearLiveSeconds ? 0 : behind
  }
  const textOf = (seconds: number): string => {
    if (!isLive) return clockText(seconds - (known?.startSeconds ?? 0))
    return behindOf(seconds) === 0 ? '' : `−${clockText(behindOf(seconds))}`
  }

  const say = (seconds: number): void => {
    const behind = clockText(behindOf(seconds))
    const length = clockText(lengthSeconds())
    const liveText = behindOf(seconds) === 0 ? texts.live : fill(texts.behind, { time: behind })
    range.setAttribute(
      'aria-valuetext',
      isLive ? liveText : fill(texts.of, { time: textOf(seconds), length }),
    )
    const text = isLive ? textOf(seconds) : `${textOf(seconds)} / ${length}`
    if (time.textContent !== text) time.textContent = text
    const share = (seconds - (known?.startSeconds ?? 0)) / (lengthSeconds() || 1)
    bar.style.setProperty('--done', percent(share))
  }

  const showTile = (seconds: number): void => {
    const tile = around.storyboard?.tileAt(seconds) ?? null
    picture.hidden = tile === null
    if (tile === null) return
    picture.style.width = `${tile.width}px`
    picture.style.height = `${tile.height}px`
    picture.style.backgroundImage = `url("${tile.sheet}")`
    picture.style.backgroundPosition = `-${tile.x}px -${tile.y}px`
  }

  const lookAt = (share: number): void => {
    if (known === null || lengthSeconds() === 0) return
    const seconds = known.startSeconds + share * lengthSeconds()
    showTile(seconds)
    write(name, chapterAt(around.chapters(), seconds)?.title ?? '')
    write(clock, isLive && textOf(seconds) === '' ? texts.live : textOf(seconds))
    look.hidden = false
    const { width } = bar.getBoundingClientRect()
    const half = look.offsetWidth / 2
    const at = inset + share * (width - 2 * inset)
    look.style.left = `${Math.max(0, Math.min(at - half, width - 2 * half))}px`
  }
  const lookAway = (): void => {
    look.hidden = true
  }

  bar.addEventListener('pointermove', ({ clientX }) => {
    const { left, width } = bar.getBoundingClientRect()
    lookAt(Math.min(1, Math.max(0, (clientX - left - inset) / (width - 2 * inset))))
  })
  bar.addEventListener('pointerleave', lookAway)
  range.addEventListener('blur', lookAway)
  range.addEventListener('input', () => {
    isHeld = true
    say((known?.startSeconds ?? 0) + Number(range.value))
    lookAt(Number(range.value) / (Number(range.max) || 1))
  })
  // Seeks on release only, because each intermediate step would load a segment.
  range.addEventListener('change', () => {
    isHeld = false
    player.seek((known?.startSeconds ?? 0) + Number(range.value))
  })

  // Returning the thumb to its start fires no change event.
  const letGo = (): void => {
    setTimeout(() => (isHeld = false))
  }
  for (const event of ['pointerup', 'pointercancel']) document.addEventListener(event, letGo)

  const showMarks = (): void => {
    const chapters = around.chapters()
    if (chapters === marked || lengthSeconds() === 0) return
    marked = chapters
    marks.replaceChildren(
      ...chapters
        .filter(({ startSeconds }) => startSeconds > 0 && startSeconds < lengthSeconds())
        .map(({ startSeconds }) => {
          const mark = element('i')
          mark.style.left = percent(startSeconds / lengthSeconds())
          return mark
        }),
    )
  }

  return {
    bar,
    time,
    show: () => {
      known = player.timeline()
      const isThere = known !== null && lengthSeconds() > (isLive ? leastLiveSeconds : 0)
      bar.hidden = !isThere
      time.hidden = bar.hidden
      if (known === null || bar.hidden) return
      loaded.style.backgroundImage = bufferedStripes(video, known)
      showMarks()
      if (isHeld) return
      range.max = lengthSeconds().toFixed(2)
      const at = isLive && player.isAtLive() ? known.endSeconds : player.position()
      range.value = String(at - known.startSeconds)
      say(at)
    },
  }
}
