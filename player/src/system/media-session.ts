import type { ControlledPlayer } from '../controlled-player.ts'

/** Step of the lock screen when it names none. */
const stepSeconds = 10

export interface MediaFacts {
  readonly title: string
  /** Name of the playlist that contains the title. */
  readonly album?: string
  readonly picture?: string
}

/** Shows the video on the lock screen and obeys media keys, headsets and watches. */
export const createMediaSession = ({ video, ...player }: ControlledPlayer) => {
  const session = 'mediaSession' in navigator ? navigator.mediaSession : null

  const on = (action: MediaSessionAction, handler: MediaSessionActionHandler | null): void => {
    try {
      session?.setActionHandler(action, handler)
    } catch {
      // Browsers throw for an action that they do not know.
    }
  }
  const showPosition = (): void => {
    const known = player.timeline()
    const length = known === null ? 0 : known.endSeconds - known.startSeconds
    // Without a seek bar, as in most live streams, the system shows none either.
    const isThere = player.kind !== 'live' && Number.isFinite(length) && length > 0
    session?.setPositionState?.(
      isThere
        ? {
            duration: length,
            position: Math.min(length, Math.max(0, video.currentTime)),
            playbackRate: video.playbackRate,
          }
        : undefined,
    )
  }

  on('play', player.play)
  on('pause', player.pause)
  on('stop', player.pause)
  on('seekbackward', ({ seekOffset }) => player.seekBy(-(seekOffset ?? stepSeconds)))
  on('seekforward', ({ seekOffset }) => player.seekBy(seekOffset ?? stepSeconds))
  if (player.kind !== 'live')
    on('seekto', ({ seekTime }) => (seekTime === undefined ? undefined : player.seek(seekTime)))
  if (player.items !== null) {
    on('nexttrack', player.items.next)
    on('previoustrack', player.items.previous)
  }
  for (const event of ['loadedmetadata', 'durationchange', 'seeked', 'ratechange', 'play', 'pause'])
    video.addEventListener(event, showPosition)

  let shown = ''
  return {
    setFacts: ({ title, album = '', picture }: MediaFacts): void => {
      const facts = JSON.stringify([title, album, picture])
      // Browsers load the picture again with each change.
      if (session === null || facts === shown) return
      shown = facts
      session.metadata = new MediaMetadata({
        title,
        album,
        artwork: picture === undefined || picture === '' ? [] : [{ src: picture }],
      })
    },
  }
}
