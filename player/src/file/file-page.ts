import type { ControlledPlayer } from '../controlled-player.ts'
import { createAddresses } from '../engine/addresses.ts'
import { serveHost } from '../host/serve-host.ts'
import { createPlaylistPanel } from '../playlist.ts'
import { element } from '../ui/dom.ts'
import { createSoundStart } from '../ui/start-sound.ts'
import { prepareViewReports, startViewReports } from '../reports/load-view-reports.ts'
import type { ViewReports } from '../reports/view-reports.ts'
import { furnishStage } from '../ui/stage.ts'
import { createStoryboard } from '../ui/storyboard.ts'
import type { PageTools } from '../page-tools.ts'
import { isMotionUnwanted } from '../ui/reduced-motion.ts'
import {
  canPlayNatively,
  playNatively,
  prepareFile,
  startFile,
  type FilePlayback,
  type FilePlaybackOptions,
  type Loss,
} from './file-playback.ts'
import { createFileProblems } from './file-problems.ts'

/** A start position this close needs no seek. */
const toleranceSeconds = 0.25
/** Older playlists may contain links that have expired. */
const preparedForMs = 60_000

/** The page of a file, or of a playlist with its list. No media is loaded before the viewer plays. */
export const openFilePage = (
  stage: HTMLElement,
  video: HTMLVideoElement,
  message: HTMLElement,
  { options, texts, memory }: PageTools,
): void => {
  const { root = '', duration = '0', storyboard, heatmap, tokenLeftMs } = stage.dataset
  const addresses = createAddresses(root, tokenLeftMs)
  const sound = createSoundStart(stage, video, texts)
  let playback: FilePlayback | null = null
  let hasBegun = false
  /** The viewer or the embedding page wants it to play. */
  let isWanted = false
  const lengthSeconds = Number(duration)
  // A link may be older than the file, which has become shorter.
  let startSeconds = lengthSeconds > 0 && options.startSeconds >= lengthSeconds ? 0 : options.startSeconds
  const position = (): number => (video.readyState === 0 ? startSeconds : video.currentTime)

  const seek = (seconds: number): void => {
    const target = Math.max(0, Math.min(seconds, timelineEnd()))
    if (video.readyState > 0) {
      // hls.js fails when it is sent twice to the position that it is seeking to.
      if (Math.abs(video.currentTime - target) > 0.01) video.currentTime = target
      return
    }
    startSeconds = target
    play()
  }
  const timelineEnd = (): number =>
    Number.isFinite(video.duration) && video.duration > 0 ? video.duration : lengthSeconds

  const problems = createFileProblems({
    stage,
    place: message,
    video,
    texts,
    addresses,
    retry: () => play(),
    onConnection: () => (isWanted && !video.ended ? play() : recover()),
    onOffline: () => lose('offline', 'browser'),
    onProblem: ({ reason, supportId, message: text }) => {
      const code = reason === 'expired' || reason === 'unsupported' ? reason : 'gone'
      host.send(reason === 'expired' ? 'tokenExpired' : 'error', { code, reason, message: text, supportId })
    },
  })
  const lose = (loss: Loss, detail: string): void => {
    if (loss === 'failed' || loss === 'codec') {
      // The next attempt starts playback at this position.
      startSeconds = position()
      playback = null
      hasBegun = false
      video.pause()
    }
    if (loss !== 'expired' && loss !== 'offline') void reports?.then((one) => one?.fail(detail))
    problems.show(loss, detail)
    furnished.show()
  }
  const recover = (): void => {
    const reason = problems.reason()
    problems.clear()
    // Without a new link or a connection, the problem appears again.
    if (reason === 'expired' || reason === 'offline') playback?.resume()
  }

  let sentAudio: string | null = null
  const audioOptions = {
    audioLanguage: options.audioLanguage,
    onAudio: () => {
      furnished.show()
      const language = playback?.audio?.playing()?.language ?? null
      if (language === sentAudio) return
      sentAudio = language
      host.send('audiochange', { language })
    },
  }

  const playbackOptions = (): FilePlaybackOptions => ({
    video,
    addresses,
    startSeconds,
    hasPicture: stage.dataset['soundOnly'] === undefined,
    isOnDemand: stage.dataset['onDemand'] !== undefined,
    // Before the viewer plays, a loss is not shown: the attempt to play repeats what failed.
    onLost: (...loss) => (hasBegun ? lose(...loss) : forget()),
    onQuality: () => {
      furnished.show()
      host.send('qualitychange', { height: playback?.choices?.playing()?.heightPixels ?? null })
    },
    ...audioOptions,
    onStarts: (starts) => playlist?.setStarts(starts),
  })

  const isReporting = stage.dataset['analyticsOff'] === undefined
  let reports: Promise<ViewReports | null> | null = null
  let prepared: Promise<FilePlayback | null> | null = null
  let preparedMs = 0
  const forget = (): void => {
    void prepared?.then((one) => one?.stop()).catch(() => undefined)
    prepared = null
  }
  /** The viewer will probably play: loads what comes before the media, so that the first picture comes sooner. */
  const prepare = (): void => {
    if (hasBegun || prepared !== null) return
    preparedMs = performance.now()
    prepared = prepareFile(playbackOptions())
    if (isReporting) prepareViewReports()
    prepared.catch(() => (prepared = null))
  }

  const begin = async (): Promise<void> => {
    if (hasBegun) return
    hasBegun = true
    stage.classList.add('begun')
    if (isReporting)
      reports ??= startViewReports({
        video,
        url: () => addresses.of('cmcd'),
        requestedAtMs: Date.now(),
        latencyMs: () => null,
        bitRate: () => playback?.choices?.bitRate() ?? null,
        codec: () => playback?.choices?.codec() ?? null,
      })
    video.addEventListener(
      'loadedmetadata',
      () => {
        if (startSeconds > 0 && Math.abs(video.currentTime - startSeconds) > toleranceSeconds)
          video.currentTime = startSeconds
      },
      { once: true },
    )
    try {
      const isFresh = performance.now() - preparedMs < preparedForMs
      if (!isFresh) forget()
      playback = await startFile(playbackOptions(), prepared ?? undefined)
      prepared = null
      if (playback === null) lose('unsupported', 'no Media Source Extensions')
      // An engine from the cache attaches so soon that it ends the attempt to play.
      else if (isWanted && video.paused) void sound.play()
    } catch (error) {
      lose('failed', `engine ${String(error)}`)
    }
  }
  const play = (): void => {
    isWanted = true
    recover()
    void begin()
    void sound.play()
  }

  const playlist = createPlaylistPanel(video, { seek, play, position }, texts, memory)
  const player: ControlledPlayer = {
    video,
    kind: playlist === null ? 'file' : 'playlist',
    timeline: () => (timelineEnd() > 0 ? { startSeconds: 0, endSeconds: timelineEnd() } : null),
    isAtLive: () => false,
    position,
    play,
    pause: () => {
      isWanted = false
      video.pause()
    },
    seek,
    seekBy: (seconds) => seek(position() + seconds),
    goToEnd: () => seek(timelineEnd()),
    choices: () => playback?.choices ?? null,
    audio: () => playback?.audio ?? null,
    playNatively: () => {
      if (!canPlayNatively(video)) return false
      if (playback !== null && playback.choices === null) return true
      const from = position()
      playback?.stop()
      forget()
      hasBegun = true
      playback = playNatively({ video, addresses, startSeconds: from, onLost: lose, ...audioOptions })
      return true
    },
    items: playlist,
  }

  const note = element('p', { class: 'sound-only-note' }, texts.soundOnly)
  note.hidden = stage.dataset['soundOnly'] === undefined
  video.loop = options.loop
  const title = video.getAttribute('aria-label') ?? ''
  const furnished = furnishStage(stage, player, {
    options,
    texts,
    memory,
    title,
    album: playlist === null ? '' : title,
    picture: () => playlist?.picture() ?? video.poster,
    storyboard: storyboard === undefined ? null : createStoryboard(() => addresses.of('storyboard.vtt')),
    extra: [note, sound.button],
  })
  stage.classList.add('playing')
  const bar = stage.querySelector<HTMLElement>('.seek')
  if (heatmap !== undefined && options.hasHeatMap)
    bar?.addEventListener(
      'pointerenter',
      () => void import('./heat-map.ts').then((one) => one.showHeat(bar, addresses.of('heatmap.json'))),
      { once: true },
    )
  if (playlist !== null) {
    furnished.setChapters(playlist.chapters())
    // The list shows the title, and a page has one heading.
    furnished.heading.remove()
  }

  // A pointer that is on the player before this script runs only moves.
  for (const event of ['pointerenter', 'pointermove', 'focusin'])
    stage.addEventListener(event, prepare, { once: true })
  // A `play()` call from any source, including the system, must load the engine.
  video.addEventListener('play', () => void begin())
  const host = serveHost(options.hostOrigin, {
    player,
    captions: furnished.captions,
    addresses,
    setChapters: furnished.setChapters,
    load: () => void begin(),
    onToken: () => {
      // Media of playlist elements have their own links, which come with the playlist.
      if (playlist !== null) {
        problems.clear()
        playback?.reload()
      }
      recover()
    },
    playoutId: root.slice(root.lastIndexOf('/') + 1),
    title,
    ratio: stage.dataset['ratio'],
  })
  playlist?.onItem((index, name) => {
    furnished.announce(name)
    host.send('item', { index, title: name })
  })
  furnished.show()
  if (options.autoplay === true && !isMotionUnwanted(options)) play()
  else if (options.isPreloaded) void begin()
}
