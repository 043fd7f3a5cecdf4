import { togglePlay, type ControlledPlayer } from '../controlled-player.ts'
import type { Options } from '../options.ts'
import { createCaptions, type Captions } from './captions.ts'
import { chaptersOfPage, type Chapter } from './chapters.ts'
import { useColor } from './color.ts'
import { createControls } from './controls.ts'
import { element, icon, write } from './dom.ts'
import { toggleFullScreen } from './full-screen.ts'
import { createHelp } from './help.ts'
import { hideControls } from './hide-controls.ts'
import { listenToKeys } from './keys.ts'
import type { Storyboard } from './storyboard.ts'
import type { Texts } from '../locales/texts.ts'

export interface Stage {
  /** The title of the playout. The caller may move it while there is no picture. */
  readonly heading: HTMLHeadingElement
  readonly captions: Captions
  readonly show: () => void
  readonly setTitle: (title: string) => void
  readonly setChapters: (chapters: readonly Chapter[]) => void
}

const shownAgainOn = [
  ...['play', 'pause', 'playing', 'waiting', 'ended', 'seeking', 'seeked', 'timeupdate', 'progress'],
  ...['loadedmetadata', 'loadeddata', 'durationchange', 'volumechange', 'ratechange', 'resize'],
]

export const furnishStage = (
  stage: HTMLElement,
  player: ControlledPlayer,
  options: Options,
  {
    texts,
    title,
    storyboard = null,
    extra = [],
  }: {
    readonly texts: Texts
    readonly title: string
    readonly storyboard?: Storyboard | null
    readonly extra?: readonly HTMLElement[]
  },
): Stage => {
  const { video } = player
  // Options of the embedding page override those of the video.
  let chapters = options.chapters.length > 0 ? options.chapters : chaptersOfPage(stage)
  const captions = createCaptions(video, options.captions)
  const heading = element('h1')
  const top = element('div', { class: 'top' }, heading)
  const spinner = element('div', { class: 'spinner', 'aria-hidden': 'true' })
  // Screen readers ignore this button, because the control bar has another.
  const bigPlay = element('button', { type: 'button', class: 'big-play', tabindex: '-1' }, icon('play'))
  if (options.hasControls) bigPlay.setAttribute('aria-hidden', 'true')
  else bigPlay.setAttribute('aria-label', texts.play)
  bigPlay.addEventListener('click', () => togglePlay(player))
  // The first touch only shows the controls.
  let wasIdle = false
  stage.addEventListener('pointerdown', () => (wasIdle = stage.classList.contains('idle')), true)
  video.addEventListener('click', (event) => {
    const isTouch = event instanceof PointerEvent && event.pointerType === 'touch'
    if (!isTouch || !wasIdle) togglePlay(player)
  })
  video.addEventListener('dblclick', () => toggleFullScreen(stage, video))
  const controls = createControls({ stage, player, texts, captions, chapters: () => chapters, storyboard })
  const help = createHelp(player, texts)
  const color = options.color ?? stage.dataset['color']
  if (color !== undefined) useColor(document.documentElement, color)
  video.muted = options.muted

  stage.append(
    ...extra,
    spinner,
    bigPlay,
    ...(options.hasControls ? [top] : [heading]),
    // After the title and before the controls, also in keyboard order.
    ...stage.querySelectorAll('.logo'),
    ...(options.hasControls ? [controls.bar, help.dialog] : []),
  )
  if (options.hasControls) hideControls(stage, video)
  if (options.hasControls && options.hasKeys) listenToKeys({ stage, player, captions, showHelp: help.toggle })

  const show = (): void => {
    stage.classList.toggle('paused', video.paused)
    const isWaiting = !video.paused && video.readyState < HTMLMediaElement.HAVE_FUTURE_DATA
    stage.classList.toggle('waiting', isWaiting)
    controls.show()
  }
  for (const event of shownAgainOn) video.addEventListener(event, show)
  video.textTracks.addEventListener('addtrack', show)
  video.textTracks.addEventListener('removetrack', show)
  video.textTracks.addEventListener('change', show)
  document.addEventListener('fullscreenchange', show)

  const setTitle = (text: string): void => {
    const name = text === '' ? texts.live : text
    write(heading, text)
    document.title = name
    video.setAttribute('aria-label', name)
    if ('mediaSession' in navigator) navigator.mediaSession.metadata = new MediaMetadata({ title: name })
  }
  setTitle(title)
  return {
    heading,
    captions,
    show,
    setTitle,
    setChapters: (given) => {
      chapters = given
      show()
    },
  }
}
