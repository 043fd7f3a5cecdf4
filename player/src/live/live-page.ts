import type { ControlledPlayer } from '../controlled-player.ts'
import { createAddresses } from '../engine/addresses.ts'
import { serveHost } from '../host/serve-host.ts'
import type { PageTools } from '../page-tools.ts'
import { pageOfMedia } from '../problem/report-problem.ts'
import { element } from '../ui/dom.ts'
import { createSoundStart } from '../ui/start-sound.ts'
import { furnishStage } from '../ui/stage.ts'
import { createBoardReports } from './board-reports.ts'
import { startViewReports } from '../reports/load-view-reports.ts'
import { createBoardView, type ShownBoard } from './board-view.ts'
import { createServerClock } from './clock.ts'
import { decide, type Decision, type Notice } from './decide.ts'
import { followLive, unknownPlace } from './follow-live.ts'
import { latencyOf } from './latency.ts'
import type { Playback } from './playback.ts'
import { reloadForNewNodes } from './reload-for-new-nodes.ts'
import { startPlayback } from './start-playback.ts'
import { watchStalls } from './stall-watch.ts'
import { watchStatus, type StatusAnswer, type StreamStatus } from './watch-status.ts'

const tickMs = 250
/** A picture that stands still for longer is not live. */
const stalledAfterMs = 1_000

interface Playing {
  readonly onlineSince: string | null
  /** Null while the engine loads. */
  playback: Playback | null
}

/**
 * The page of a live stream: shows a text while there is nothing to play, and the broadcast otherwise,
 * without a reload.
 */
export const openLivePage = (stage: HTMLElement, { options, texts, memory }: PageTools): void => {
  const { base: root = '', title = '', board: boardText = '', tokenLeftMs } = stage.dataset
  const addresses = createAddresses(root, tokenLeftMs)
  const video = element('video', { id: 'video', playsinline: '' })
  const view = createBoardView(texts, boardText, () => {
    reports.again()
    watch.askNow()
  })
  const clock = createServerClock()
  const stalls = watchStalls(video)
  const sound = createSoundStart(stage, video, texts)
  let playing: Playing | null = null
  let isFresh = true
  /** Without a status, the page must not claim that the stream has not started. */
  let isKnown = false
  let isUnsupported = false
  /** Start time of the current broadcast when the browser lacks its codecs. */
  let unplayable: string | null | undefined
  let isOnline = false
  let board: ShownBoard | null = 'before'
  let notice: Notice | null = null

  const livePosition = (): number | null => playing?.playback?.livePosition() ?? null
  const follower = followLive(video, () => {
    const playback = playing?.playback
    if (playback == null) return unknownPlace
    const isStalled = video.currentTime > 0 && stalls.stalledMs() > stalledAfterMs
    return { position: playback.livePosition(), limits: playback.limits, isStalled }
  })

  const play = (): void => {
    if (playing !== null) void video.play().catch(() => undefined)
  }
  const player: ControlledPlayer = {
    video,
    kind: 'live',
    timeline: () => {
      const endSeconds = livePosition()
      const { seekable } = video
      if (endSeconds === null || seekable.length === 0) return null
      return { startSeconds: seekable.start(0), endSeconds }
    },
    isAtLive: follower.isAtLive,
    position: () => video.currentTime,
    play,
    pause: () => video.pause(),
    seek: follower.choose,
    seekBy: follower.chooseBy,
    goToEnd: () => {
      if (playing === null) return
      follower.goLive()
      play()
    },
    choices: () => playing?.playback?.choices ?? null,
    audio: () => null,
    // A browser that can hand the video to another device already plays natively.
    playNatively: () => playing?.playback?.choices === null,
    items: null,
  }

  const reports = createBoardReports(view, texts, {
    page: () => pageOfMedia(addresses.of('')),
    onProblem: (fields) => host.send(fields.code === 'expired' ? 'tokenExpired' : 'error', { ...fields }),
  })

  let isReporting = false
  const stop = (): void => {
    playing?.playback?.stop()
    playing = null
  }

  const start = async ({ OnlineSince, IsLowLatency }: StreamStatus): Promise<void> => {
    const wasPaused = playing?.playback != null && video.paused && !video.ended
    stop()
    isFresh = false
    const started: Playing = { onlineSince: OnlineSince, playback: null }
    if (!isReporting)
      void startViewReports({
        video,
        url: () => addresses.of('cmcd'),
        requestedAtMs: Date.now(),
        latencyMs: () => latencyOf(playing?.playback ?? null, clock.now()),
        bitRate: () => playing?.playback?.choices?.bitRate() ?? null,
        codec: () => playing?.playback?.choices?.codec() ?? null,
      })
    isReporting = true
    playing = started
    stalls.reset()
    if (!wasPaused) follower.goLive()
    let playback: Playback | null
    try {
      playback = await startPlayback({
        video,
        addresses,
        isLowLatency: IsLowLatency,
        onLost: watch.askNow,
        onUnplayable: () => {
          unplayable = OnlineSince
          show()
        },
        onQuality: sendQuality,
      })
    } catch {
      // The engine failed to load. The next status response retries.
      if (playing === started) playing = null
      return
    }
    if (playing !== started) return playback?.stop()
    isUnsupported = playback === null
    started.playback = playback
    stalls.reset()
    if (!wasPaused && options.autoplay !== false) await sound.play()
  }

  const act = (decision: Decision, answer: StatusAnswer): void => {
    if (decision.act === 'stop') stop()
    if (answer.type !== 'status') return
    if (decision.act === 'start' || decision.act === 'restart') void start(answer.status)
    else if (answer.status.State === 'online') playing?.playback?.resume(false)
  }

  const onAnswer = (answer: StatusAnswer): void => {
    if (isUnsupported) return
    if (answer.type === 'status') {
      isKnown = true
      const { Title, BoardText, EndedText, HasPoster } = answer.status
      furnished.setTitle(Title)
      view.setWords({ before: BoardText, ended: EndedText })
      view.setPoster(HasPoster ? () => addresses.of('poster.jpg') : null)
    }
    const nowPlaying = playing && {
      onlineSince: playing.onlineSince,
      hasEnded: video.ended,
      isPaused: video.paused,
      stalledMs: playing.playback === null ? 0 : stalls.stalledMs(),
    }
    const decision = decide(answer, nowPlaying, isFresh)
    ;({ board, notice } = decision)
    if (answer.type === 'away' && !isKnown) {
      board = 'offline'
      notice = null
    }
    sendState(answer)
    isOnline = answer.type === 'status' && answer.status.State === 'online'
    act(decision, answer)
    show()
  }

  const boardNow = (isSoundOnly: boolean): ShownBoard | null => {
    if (isUnsupported) return 'unsupported'
    if (playing === null) return board
    if (isSoundOnly) return 'soundOnly'
    if (video.readyState > 0) return null
    return playing.onlineSince === unplayable ? 'unplayable' : 'starting'
  }

  const show = (): void => {
    const hasPicture = video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA
    const isSoundOnly = hasPicture && video.videoWidth === 0
    stage.classList.toggle('playing', playing !== null && hasPicture)
    const shown = boardNow(isSoundOnly)
    reports.onBoard(shown)
    view.show(shown, isUnsupported ? null : notice)
    // The title is on the board, or over the picture.
    const place = view.board.hidden ? top : view.board
    if (furnished.heading.parentElement !== place) place?.prepend(furnished.heading)
    furnished.show()
  }

  const sendQuality = (): void =>
    host.send('qualitychange', { height: player.choices()?.playing()?.heightPixels ?? null })
  let sentState = ''
  const sendState = (answer: StatusAnswer): void => {
    const state = answer.type === 'status' ? answer.status.State : answer.type
    if (state === sentState) return
    sentState = state
    host.send('live', { state })
  }

  stage.prepend(video, ...view.elements)
  const furnished = furnishStage(stage, player, {
    options,
    texts,
    memory,
    title,
    picture: () => view.posterUrl() ?? '',
    extra: [sound.button],
  })
  const top = furnished.heading.parentElement
  reloadForNewNodes()
  const watch = watchStatus(() => addresses.of('status.json'), onAnswer, clock.onDate)
  const host = serveHost(options.hostOrigin, {
    player,
    captions: furnished.captions,
    addresses,
    setChapters: furnished.setChapters,
    load: watch.askNow,
    onToken: watch.askNow,
    onExpired: watch.askNow,
    playoutId: root.slice(root.lastIndexOf('/') + 1),
    title,
    ratio: undefined,
  })
  show()
  video.addEventListener('ended', watch.askNow)
  for (const event of ['loadeddata', 'resize']) video.addEventListener(event, show)
  setInterval(() => {
    follower.keepUp()
    if (isOnline && stalls.isStuckAnew()) playing?.playback?.resume(true)
    show()
  }, tickMs)
}
