import type { ControlledPlayer } from '../controlled-player.ts'
import { createAddresses } from '../engine/addresses.ts'
import { serveHost } from '../host/serve-host.ts'
import type { Options } from '../options.ts'
import { createPlaylistPanel } from '../playlist.ts'
import { element } from '../ui/dom.ts'
import { createSoundStart } from '../ui/start-sound.ts'
import { furnishStage } from '../ui/stage.ts'
import { createStoryboard } from '../ui/storyboard.ts'
import type { Texts } from '../locales/texts.ts'
import { canPlayNatively, playNatively, startFile, type FilePlayback, type Loss } from './file-playback.ts'

/** A start position this close needs no seek. */
const toleranceSeconds = 0.25

/** The page of a file, or of a playlist with its list. Nothing is loaded before the viewer plays. */
export const openFilePage = (
  stage: HTMLElement,
  video: HTMLVideoElement,
  message: HTMLElement,
  { options, texts }: { readonly options: Options; readonly texts: Texts },
): void => {
  const { root = '', duration = '0', storyboard } = stage.dataset
  const addresses = createAddresses(root)
  const sound = createSoundStart(stage, video, texts)
  let playback: FilePlayback | null = null
  let hasBegun = false
  let hasExpired = false
  let startSeconds = options.startSeconds
  const lengthSeconds = Number(duration)
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

  const lose = (loss: Loss): void => {
    const text = { unsupported: texts.unsupported, expired: texts.linkExpired, gone: texts.cannotPlay }[loss]
    message.textContent = text
    message.hidden = false
    stage.classList.add('lost')
    hasExpired = loss === 'expired'
    if (loss === 'gone') {
      // The next press of the play button restarts playback at this position.
      startSeconds = position()
      playback = null
      hasBegun = false
      video.pause()
    }
    furnished.show()
    host.send(loss === 'expired' ? 'tokenExpired' : 'error', { code: loss, message: text })
  }
  const recover = (): void => {
    message.hidden = true
    stage.classList.remove('lost')
    // A new link resumes playback after expiry. Without one, the error appears again.
    if (hasExpired) playback?.resume()
    hasExpired = false
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

  const begin = async (): Promise<void> => {
    if (hasBegun) return
    hasBegun = true
    stage.classList.add('begun')
    video.addEventListener(
      'loadedmetadata',
      () => {
        if (startSeconds > 0 && Math.abs(video.currentTime - startSeconds) > toleranceSeconds)
          video.currentTime = startSeconds
      },
      { once: true },
    )
    try {
      playback = await startFile({
        video,
        addresses,
        startSeconds,
        onLost: lose,
        onQuality: () => {
          furnished.show()
          host.send('qualitychange', { height: playback?.choices?.playing()?.heightPixels ?? null })
        },
        ...audioOptions,
        onStarts: (starts) => playlist?.setStarts(starts),
      })
      if (playback === null) lose('unsupported')
    } catch {
      lose('gone')
    }
  }
  const play = (): void => {
    recover()
    void begin()
    void sound.play()
  }

  const playlist = createPlaylistPanel(video, { seek, play, position }, texts)
  const player: ControlledPlayer = {
    video,
    kind: playlist === null ? 'file' : 'playlist',
    timeline: () => (timelineEnd() > 0 ? { startSeconds: 0, endSeconds: timelineEnd() } : null),
    isAtLive: () => false,
    play,
    pause: () => video.pause(),
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
  const furnished = furnishStage(stage, player, options, {
    texts,
    title,
    storyboard: storyboard === undefined ? null : createStoryboard(() => addresses.of('storyboard.vtt')),
    extra: [note, sound.button],
  })
  stage.classList.add('playing')
  if (playlist !== null) {
    furnished.setChapters(playlist.chapters())
    // The list shows the title, and a page has one heading.
    furnished.heading.remove()
  }

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
        hasExpired = false
        playback?.reload()
      }
      recover()
    },
    playoutId: root.slice(root.lastIndexOf('/') + 1),
    title,
    ratio: stage.dataset['ratio'],
  })
  playlist?.onItem((index, name) => host.send('item', { index, title: name }))
  furnished.show()
  if (options.autoplay === true) play()
  else if (options.isPreloaded) void begin()
}
