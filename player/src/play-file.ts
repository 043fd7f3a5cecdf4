import { createPlaylistPanel, startsOf } from './playlist.ts'

const recoveriesAllowed = 3

const show = (message: HTMLElement, text: string): void => {
  message.textContent = text
  message.hidden = false
}

/** Plays what has a beginning and an end: the video of a file, or the stream of a playlist. */
export const playFile = async (
  video: HTMLVideoElement,
  message: HTMLElement,
  source: string,
): Promise<void> => {
  const playlist = createPlaylistPanel(video)
  const { Hls, ErrorTypes, Events } = await import('./engine.ts')
  // Media Source Extensions go first: some browsers claim native HLS and play it unreliably.
  if (!Hls.isSupported()) {
    if (video.canPlayType('application/vnd.apple.mpegurl') !== '') video.src = source
    else show(message, 'This browser cannot play HTTP Live Streaming. Please use a current one.')
    return
  }
  const hls = new Hls({ capLevelToPlayerSize: true })
  hls.on(Events.LEVEL_UPDATED, (_event, { details }) => playlist?.setStarts(startsOf(details)))
  let recoveries = 0
  hls.on(Events.ERROR, (_event, error) => {
    if (!error.fatal) return
    recoveries += 1
    if (recoveries <= recoveriesAllowed && error.type === ErrorTypes.MEDIA_ERROR) hls.recoverMediaError()
    else if (recoveries <= recoveriesAllowed && error.response?.code === undefined) hls.startLoad()
    else {
      hls.destroy()
      show(message, 'This video cannot be played at the moment. Reload the page to try again.')
    }
  })
  hls.loadSource(source)
  hls.attachMedia(video)
}
