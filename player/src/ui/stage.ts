import { togglePlay, type ControlledPlayer } from '../controlled-player.ts'
import type { PageTools } from '../page-tools.ts'
import { shareAddress } from '../share-link.ts'
import { toggleFullScreen } from '../system/full-screen.ts'
import { createMediaSession } from '../system/media-session.ts'
import { applyLook, usualLook } from './caption-look.ts'
import { createCaptions, type Captions } from './captions.ts'
import { chaptersOfPage, type Chapter } from './chapters.ts'
import { useColor } from './color.ts'
import { createControls } from './controls.ts'
import { element, icon, write } from './dom.ts'
import { hideControls } from './hide-controls.ts'
import { listenToKeys } from './keys.ts'
import type { Panels } from './panels.ts'
import type { Storyboard } from './storyboard.ts'

export interface Stage {
  /** The title of the playout. The caller may move it while there is no picture. */
  readonly heading: HTMLHeadingElement
  readonly captions: Captions
  readonly show: () => void
  readonly setTitle: (title: string) => void
  /** Shows what plays now on the lock screen. */
  readonly announce: (title: string) => void
  readonly setChapters: (chapters: readonly Chapter[]) => void
}

const shownAgainOn = [
  ...['play', 'pause', 'playing', 'waiting', 'ended', 'seeking', 'seeked', 'timeupdate', 'progress'],
  ...['loadedmetadata', 'loadeddata', 'durationchange', 'volumechange', 'ratechange', 'resize'],
  ...['enterpictureinpicture', 'leavepictureinpicture'],
]

/** The first panel that the viewer opens loads the code of all. */
const loadPanels = () => import('../panels/panels.ts')
type LoadedPanels = Awaited<ReturnType<typeof loadPanels>>

export const furnishStage = (
  stage: HTMLElement,
  player: ControlledPlayer,
  {
    options,
    texts,
    memory,
    title,
    album = '',
    picture,
    storyboard = null,
    extra = [],
  }: PageTools & {
    readonly title: string
    readonly album?: string
    /** The picture for the lock screen. Empty without one. */
    readonly picture: () => string
    readonly storyboard?: Storyboard | null
    readonly extra?: readonly HTMLElement[]
  },
): Stage => {
  const { video } = player
  // Options of the embedding page override those of the video.
  let chapters = options.chapters.length > 0 ? options.chapters : chaptersOfPage(stage)
  const { captions: language, captionLook, volume, isMuted } = memory.read()
  const captions = createCaptions(
    video,
    options.captions ?? (language === undefined ? null : { language }),
    (chosen) => memory.keep({ captions: chosen }),
  )
  const setLook = applyLook(stage, video, captionLook ?? usualLook)
  const heading = element('h1')
  const top = element('div', { class: 'top' }, heading)
  const spinner = element('div', { class: 'spinner', 'aria-hidden': 'true' })
  // Screen readers ignore this button, because the control bar has another.
  const bigPlay = element('button', { type: 'button', class: 'big-play', tabindex: '-1' }, icon('play'))
  if (options.hasControls) bigPlay.setAttribute('aria-hidden', 'true')
  else bigPlay.setAttribute('aria-label', texts.play)
  bigPlay.addEventListener('click', () => togglePlay(player))
  // The first touch only shows the controls, also where it meets one.
  let wasIdle = false
  stage.addEventListener('pointerdown', () => (wasIdle = stage.classList.contains('idle')), true)
  const skipFirst = (event: MouseEvent): void => {
    if (!wasIdle || !(event instanceof PointerEvent) || event.pointerType !== 'touch') return
    event.stopPropagation()
    event.preventDefault()
  }
  stage.addEventListener('click', skipFirst, true)
  video.addEventListener('click', () => togglePlay(player))
  video.addEventListener('dblclick', () => toggleFullScreen(stage, video))

  const address = shareAddress(options.share)
  /** One panel at a time. */
  const open = (use: (panels: LoadedPanels) => void): void => {
    // Without a connection, nothing opens.
    loadPanels().then(
      // Another panel may have opened while this one was loading.
      (loaded) => (stage.querySelector('dialog') === null ? use(loaded) : undefined),
      () => undefined,
    )
  }
  const panels: Panels = {
    openHelp: () => open(({ openHelp }) => openHelp(stage, player, { canShare: address !== null })),
    openShare: address === null ? null : () => open(({ openShare }) => openShare(stage, player, { address })),
    openCaptionLook: () =>
      open(({ openCaptionPanel }) =>
        openCaptionPanel(stage, {
          look: memory.read().captionLook ?? usualLook,
          onChange: (changed) => {
            setLook(changed)
            memory.keep({ captionLook: changed })
          },
        }),
      ),
  }
  const keepSound = (): void => memory.keep({ volume: video.volume, isMuted: video.muted })
  const controls = createControls({
    ...{ stage, player, texts, captions, panels, keepSound },
    ...{ chapters: () => chapters, storyboard },
  })
  const color = options.color ?? stage.dataset['color']
  if (color !== undefined) useColor(document.documentElement, color)
  video.volume = volume ?? 1
  video.muted = options.muted ?? isMuted ?? false

  stage.append(
    ...extra,
    spinner,
    bigPlay,
    ...(options.hasControls ? [top] : [heading]),
    // After the title and before the controls, also in keyboard order.
    ...stage.querySelectorAll('.logo'),
    ...(options.hasControls ? [controls.bar] : []),
  )
  if (options.hasControls) hideControls(stage, video)
  if (options.hasControls && options.hasKeys) listenToKeys({ stage, player, captions, panels, keepSound })

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

  const session = createMediaSession(player)
  const announce = (name: string): void => session.setFacts({ title: name, album, picture: picture() })
  const setTitle = (text: string): void => {
    const name = text === '' ? texts.live : text
    write(heading, text)
    document.title = name
    video.setAttribute('aria-label', name)
    announce(name)
  }
  setTitle(title)
  return {
    heading,
    captions,
    show,
    setTitle,
    announce,
    setChapters: (given) => {
      chapters = given
      show()
    },
  }
}
