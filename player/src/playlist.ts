import type { LevelDetails } from 'hls.js'
import type { Chapter } from './ui/chapters.ts'
import type { Texts } from './locales/texts.ts'
import type { Memory } from './system/memory.ts'

export interface PlaylistPanel {
  /** Sets the exact start times of the elements once they are known. */
  readonly setStarts: (startsSeconds: readonly number[]) => void
  readonly next: () => void
  readonly previous: () => void
  readonly theatre: Theatre
  /** The picture of the current element. Undefined without one. */
  readonly picture: () => string | undefined
  /** The elements as positions on the timeline. */
  readonly chapters: () => readonly Chapter[]
  readonly onItem: (listener: (index: number, title: string) => void) => void
}

/** The video takes the whole page, and the list becomes a strip of thumbnails that hides with the controls. */
export interface Theatre {
  readonly isOn: () => boolean
  readonly toggle: () => void
}

interface Steering {
  readonly position: () => number
  readonly seek: (seconds: number) => void
  readonly play: () => void
}

/** In the stream of a playlist, every element starts with a discontinuity. */
export const startsOf = ({ fragments }: LevelDetails): number[] =>
  fragments
    .filter(({ cc }, index) => index === 0 || cc !== fragments[index - 1]?.cc)
    .map(({ start }) => start)

/**
 * Within this time of the start of an element, "previous" goes to the element before; later, to its own
 * start.
 */
const previousWithinSeconds = 3
/** A seek to a boundary may end slightly before it. */
const toleranceSeconds = 0.25

/** Returns null on the page of a single file. */
export const createPlaylistPanel = (
  video: HTMLVideoElement,
  { position, seek, play }: Steering,
  texts: Texts,
  memory: Memory,
): PlaylistPanel | null => {
  const panel = document.querySelector<HTMLElement>('#playlist')
  if (panel === null) return null
  const stage = video.parentElement
  const place = document.querySelector<HTMLElement>('#place')
  const previous = document.querySelector<HTMLButtonElement>('#previous')
  const next = document.querySelector<HTMLButtonElement>('#next')
  const cover = document.querySelector<HTMLImageElement>('#cover')
  const buttons = [...panel.querySelectorAll<HTMLButtonElement>('li button')]
  let starts = buttons.map(({ dataset }) => Number(dataset['start']))
  const titleOf = (index: number): string => buttons[index]?.querySelector('.title')?.textContent ?? ''
  let shown = -1
  let itemListener: ((index: number, title: string) => void) | null = null

  const currentIndex = (): number => {
    const after = starts.findIndex((start) => start > position() + toleranceSeconds)
    return Math.max(0, Math.min(after < 0 ? starts.length : after, buttons.length) - 1)
  }

  /** Scrolls only the list, never the page that contains the player. */
  const showInList = (): void => {
    const item = buttons[shown]?.parentElement
    const list = item?.parentElement
    if (item == null || list == null) return
    list.scrollTop = item.offsetTop - list.offsetTop - (list.clientHeight - item.clientHeight) / 2
    list.scrollLeft = item.offsetLeft - list.offsetLeft - (list.clientWidth - item.clientWidth) / 2
  }

  const show = (): void => {
    const index = currentIndex()
    if (index === shown) return
    shown = index
    for (const [at, button] of buttons.entries()) {
      if (at === index) button.setAttribute('aria-current', 'true')
      else button.removeAttribute('aria-current')
    }
    showInList()
    if (place !== null) place.textContent = `${index + 1} / ${buttons.length}`
    if (previous !== null) previous.disabled = index === 0
    if (next !== null) next.disabled = index === buttons.length - 1
    if (cover !== null) {
      const uri = buttons[index]?.dataset['cover']
      cover.hidden = uri === undefined
      if (uri !== undefined) cover.src = uri
    }
    if (buttons[index]?.dataset['soundOnly'] === undefined) delete stage?.dataset['soundTitle']
    else if (stage != null) stage.dataset['soundTitle'] = titleOf(index)
    itemListener?.(index, titleOf(index))
  }

  const goTo = (index: number): void => {
    const start = starts[index]
    if (start === undefined) return
    seek(start)
    play()
  }
  const goNext = (): void => goTo(currentIndex() + 1)
  const goBack = (): void => {
    const index = currentIndex()
    const isAtStart = position() - (starts[index] ?? 0) < previousWithinSeconds
    goTo(isAtStart ? Math.max(0, index - 1) : index)
  }

  for (const [index, button] of buttons.entries()) button.addEventListener('click', () => goTo(index))
  previous?.setAttribute('aria-label', texts.previous)
  next?.setAttribute('aria-label', texts.next)
  if (previous !== null) previous.title = `${texts.previous} (P)`
  if (next !== null) next.title = `${texts.next} (N)`
  previous?.addEventListener('click', () => goTo(currentIndex() - 1))
  next?.addEventListener('click', goNext)
  const page = panel.parentElement
  const setTheatre = (isOn: boolean): void => {
    page?.classList.toggle('theatre', isOn)
    showInList()
  }
  const theatre: Theatre = {
    isOn: () => page?.classList.contains('theatre') === true,
    toggle: () => {
      setTheatre(!theatre.isOn())
      memory.keep({ isTheatre: theatre.isOn() })
    },
  }
  setTheatre(memory.read().isTheatre === true)
  for (const event of ['timeupdate', 'seeking', 'loadedmetadata']) video.addEventListener(event, show)
  show()
  return {
    setStarts: (exact) => {
      if (exact.length === buttons.length) starts = [...exact]
    },
    next: goNext,
    previous: goBack,
    theatre,
    picture: () =>
      buttons[shown]?.dataset['cover'] ?? buttons[shown]?.querySelector<HTMLImageElement>('img.thumb')?.src,
    chapters: () => starts.map((startSeconds, index) => ({ startSeconds, title: titleOf(index) })),
    onItem: (listener) => {
      itemListener = listener
    },
  }
}
