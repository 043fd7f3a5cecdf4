import { startBeacons } from './beacons.ts'
import { createBoardView } from './board-view.ts'
import { createServerClock } from './clock.ts'
import { decide, type Board, type Decision, type Notice } from './decide.ts'
import { element } from './dom.ts'
import { followLive } from './follow-live.ts'
import { hideControls } from './hide-controls.ts'
import { listenToKeys } from './keys.ts'
import { createLiveControls, type LiveActions } from './live-controls.ts'
import type { Playback } from './playback.ts'
import { startPlayback } from './start-playback.ts'
import { watchStalls } from './stall-watch.ts'
import { chooseTexts } from './texts.ts'
import { watchStatus, type StatusAnswer, type StreamStatus } from './watch-status.ts'

const tickMs = 250
/** Not all viewers at once. */
const reloadAfterMs = { least: 2_000, most: 6_000 }

interface Playing {
  readonly onlineSince: string | null
  /** Null while the engine is being loaded. */
  playback: Playback | null
}

/** The policy of a page knows the live nodes of its time. One that came later is met by a page that is loaded anew. */
const reloadForNewNodes = (): void => {
  const { least, most } = reloadAfterMs
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
    if (effectiveDirective !== 'connect-src' && effectiveDirective !== 'media-src') return
    setTimeout(() => location.reload(), least + Math.random() * (most - least))
  })
}

/** The page of a live stream: a board while there is nothing to see, and the broadcast while there is, without ever being loaded again. */
export const openLivePage = (stage: HTMLElement): void => {
  const { base = '', title = '' } = stage.dataset
  const texts = chooseTexts(document.documentElement, navigator.languages)
  const video = element('video', { id: 'video', playsinline: '' })
  const view = createBoardView(texts)
  const clock = createServerClock()
  const stalls = watchStalls(video)
  let playing: Playing | null = null
  let isFresh = true
  let isUnsupported = false
  let isOnline = false
  let board: Board | null = 'before'
  let notice: Notice | null = null

  const livePosition = (): number | null => playing?.playback?.livePosition() ?? null
  const follower = followLive(video, livePosition)

  const setTitle = (text: string): void => {
    const name = text === '' ? texts.live : text
    view.setTitle(text)
    document.title = name
    video.setAttribute('aria-label', name)
    if ('mediaSession' in navigator) navigator.mediaSession.metadata = new MediaMetadata({ title: name })
  }

  /** Browsers let a page begin with sound only where its viewer has done something before. */
  const play = async (): Promise<void> => {
    try {
      await video.play()
    } catch (error) {
      if (!(error instanceof DOMException) || error.name !== 'NotAllowedError') return
      video.muted = true
      stage.classList.add('muted-by-browser')
      await video.play().catch(() => undefined)
    }
  }

  const actions: LiveActions = {
    togglePlay: () => {
      if (playing === null) return
      if (video.paused) void video.play().catch(() => undefined)
      else video.pause()
    },
    toggleSound: () => {
      video.muted = !video.muted && video.volume > 0
      if (!video.muted && video.volume === 0) video.volume = 1
    },
    goLive: () => {
      if (playing === null) return
      follower.goLive()
      void video.play().catch(() => undefined)
    },
    seek: follower.choose,
    seekBy: follower.chooseBy,
  }
  const controls = createLiveControls(stage, video, texts, actions)
  const soundButton = element('button', { type: 'button', class: 'sound-on' }, texts.unmute)
  soundButton.addEventListener('click', actions.toggleSound)
  video.addEventListener('volumechange', () => {
    if (!video.muted) stage.classList.remove('muted-by-browser')
  })
  video.addEventListener('click', actions.togglePlay)

  const stop = (): void => {
    playing?.playback?.stop()
    playing = null
  }

  const start = async ({ OnlineSince, IsLowLatency }: StreamStatus): Promise<void> => {
    const wasPaused = playing?.playback != null && video.paused && !video.ended
    stop()
    isFresh = false
    const started: Playing = { onlineSince: OnlineSince, playback: null }
    playing = started
    stalls.reset()
    let playback: Playback | null
    try {
      playback = await startPlayback({ video, base, isLowLatency: IsLowLatency, onLost: watch.askNow })
    } catch {
      // The engine could not be loaded; the next answer of the server tries it again.
      if (playing === started) playing = null
      return
    }
    if (playing !== started) return playback?.stop()
    isUnsupported = playback === null
    started.playback = playback
    stalls.reset()
    if (!wasPaused) await play()
  }

  const act = (decision: Decision, answer: StatusAnswer): void => {
    if (decision.act === 'stop') stop()
    if (answer.type !== 'status') return
    if (decision.act === 'start' || decision.act === 'restart') void start(answer.status)
    else if (answer.status.State === 'online') playing?.playback?.goOn(false)
  }

  const onAnswer = (answer: StatusAnswer): void => {
    if (isUnsupported) return
    if (answer.type === 'status') setTitle(answer.status.Title)
    const nowPlaying = playing && {
      onlineSince: playing.onlineSince,
      hasEnded: video.ended,
      isPaused: video.paused,
      stalledMs: playing.playback === null ? 0 : stalls.stalledMs(),
    }
    const decision = decide(answer, nowPlaying, isFresh)
    ;({ board, notice } = decision)
    isOnline = answer.type === 'status' && answer.status.State === 'online'
    act(decision, answer)
    show()
  }

  const show = (): void => {
    const hasPicture = video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA
    const isHeard = hasPicture && video.videoWidth === 0
    stage.classList.toggle('playing', playing !== null && hasPicture)
    stage.classList.toggle('paused', video.paused)
    if (isUnsupported) view.show('unsupported', null)
    else if (playing === null) view.show(board, notice)
    else if (isHeard) view.show('soundOnly', notice)
    else view.show(video.readyState === 0 ? 'starting' : null, notice)
    const position = livePosition()
    controls.show({ livePosition: position, isAtLive: follower.isAtLive(position) })
  }

  stage.replaceChildren(video, ...view.elements, soundButton, controls.bar)
  setTitle(title)
  show()
  hideControls(stage, video)
  listenToKeys(stage, video, actions)
  reloadForNewNodes()
  const watch = watchStatus(`${base}/status.json`, onAnswer, clock.onDate)
  video.addEventListener('ended', watch.askNow)
  startBeacons({
    video,
    url: `${base}/beacon`,
    now: clock.now,
    playback: () => playing?.playback ?? null,
  })
  for (const event of ['play', 'pause', 'volumechange', 'seeking', 'loadeddata', 'resize'])
    video.addEventListener(event, show)
  setInterval(() => {
    follower.keepUp(livePosition())
    if (isOnline && stalls.isStuckAnew()) playing?.playback?.goOn(true)
    show()
  }, tickMs)
}
