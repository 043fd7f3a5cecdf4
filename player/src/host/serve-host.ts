import { setSpeed, setVolume, type ControlledPlayer } from '../controlled-player.ts'
import type { Addresses } from '../engine/addresses.ts'
import type { Captions } from '../ui/captions.ts'
import type { Chapter } from '../ui/chapters.ts'
import { connectHost, type Host } from './host.ts'
import type { Command } from './protocol.ts'
import { watchToken } from './watch-token.ts'

export interface Served {
  readonly player: ControlledPlayer
  readonly captions: Captions
  readonly addresses: Addresses
  readonly setChapters: (chapters: readonly Chapter[]) => void
  /** Loads the engine and the media without playing. */
  readonly load: () => void
  readonly onToken: () => void
  readonly onExpired?: () => void
  readonly playoutId: string
  readonly title: string
  /** Width to height, when known. */
  readonly ratio: string | undefined
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null)

const stateOf = ({ player, captions }: Served) => {
  const { video, kind } = player
  const chosen = player.choices()?.chosen() ?? null
  const playing = player.choices()?.playing() ?? null
  const qualities = player.choices()?.qualities() ?? []
  const timeline = player.timeline()
  return {
    kind,
    paused: video.paused,
    ended: video.ended,
    currentTime: video.currentTime,
    duration: kind === 'live' ? null : (timeline?.endSeconds ?? finite(video.duration)),
    seekable: timeline === null ? null : { start: timeline.startSeconds, end: timeline.endSeconds },
    isAtLive: kind === 'live' && player.isAtLive(),
    volume: video.volume,
    muted: video.muted,
    rate: video.playbackRate,
    qualities: qualities.map(({ heightPixels }) => heightPixels),
    quality: qualities.find(({ id }) => id === chosen)?.heightPixels ?? 'auto',
    playingQuality: playing?.heightPixels ?? null,
    captions: captions.shown()?.language ?? null,
    audio: player.audio()?.playing()?.language ?? null,
    audioLanguages:
      player
        .audio()
        ?.tracks()
        .map(({ language }) => language) ?? [],
    captionLanguages: captions.tracks().map(({ language }) => language),
  }
}

/** Returns the largest quality up to this height, or the smallest: the page may not know the qualities. */
const qualityFor = (player: ControlledPlayer, height: number): number | null => {
  const qualities = player.choices()?.qualities() ?? []
  return (qualities.find((quality) => quality.heightPixels <= height) ?? qualities.at(-1))?.id ?? null
}

const ratioOf = (text = ''): number | null => {
  const [width = 0, height = 0] = text.split(':').map(Number)
  return width > 0 && height > 0 ? width / height : null
}

/** Puts the current link into the page URL, so that a reload uses it. */
const keepAddress = (token: string): void => {
  const { pathname, search, hash } = location
  const path = pathname.replace(/^\/s\/[^/]+/, () => `/s/${encodeURIComponent(token)}`)
  history.replaceState(null, '', path + search + hash)
}

export const serveHost = (origin: string | null, served: Served): Host => {
  const { player, captions, addresses } = served
  const { video } = player

  const obey = (command: Command): void => {
    switch (command.command) {
      case 'play':
        return player.play()
      case 'pause':
        return player.pause()
      case 'load':
        return served.load()
      case 'next':
        return player.items?.next()
      case 'previous':
        return player.items?.previous()
      case 'goLive':
        return player.kind === 'live' ? player.goToEnd() : undefined
      case 'seek':
        return player.seek(command.seconds)
      case 'setVolume':
        return setVolume(player, command.volume)
      case 'setMuted':
        video.muted = command.muted
        return
      case 'setRate':
        return player.kind === 'live' ? undefined : setSpeed(player, command.rate)
      case 'setQuality':
        return player.choices()?.choose(command.height === null ? null : qualityFor(player, command.height))
      case 'setCaptions':
        return captions.showLanguage(command.language)
      case 'setAudio':
        return player.audio()?.chooseLanguage(command.language)
      case 'setChapters':
        return served.setChapters(command.chapters)
      case 'setToken':
        if (!addresses.setToken(command.token)) return
        keepAddress(command.token)
        restartWatch()
        return served.onToken()
      case 'getState':
        return host.send('state', { id: command.id, ...stateOf(served) })
    }
  }

  const host = connectHost(origin, obey)
  const where = () => ({
    currentTime: video.currentTime,
    duration: player.kind === 'live' ? null : finite(video.duration),
  })
  for (const event of ['play', 'pause', 'timeupdate', 'seeked', 'ended'] as const)
    video.addEventListener(event, () => host.send(event, where()))
  video.addEventListener('volumechange', () =>
    host.send('volumechange', { volume: video.volume, muted: video.muted }),
  )
  video.addEventListener('ratechange', () => host.send('ratechange', { rate: video.playbackRate }))
  video.textTracks.addEventListener('change', () =>
    host.send('captionschange', { language: captions.shown()?.language ?? null }),
  )
  const restartWatch = watchToken(addresses, {
    expiring: (expiresAt) => host.send('tokenExpiring', { expiresAt: expiresAt.toISOString() }),
    expired: () => {
      host.send('tokenExpired')
      served.onExpired?.()
    },
  })
  host.send('ready', {
    playoutId: served.playoutId,
    kind: player.kind,
    title: served.title,
    ratio: ratioOf(served.ratio),
    duration: player.kind === 'live' ? null : (player.timeline()?.endSeconds ?? null),
  })
  return host
}
