import Hls, { ErrorTypes, Events } from 'hls.js'
import './player.css'
import './playlist.css'
import { createPlaylistPanel, startsOf } from './playlist.ts'

const recoveriesAllowed = 3

const show = (message: HTMLElement, text: string): void => {
  message.textContent = text
  message.hidden = false
}

/** Media Source Extensions go first: some browsers claim native HLS and play it unreliably. */
const playWithHlsJs = (video: HTMLVideoElement, message: HTMLElement, source: string): void => {
  const hls = new Hls({ capLevelToPlayerSize: true })
  const playlist = createPlaylistPanel(video)
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

const start = (): void => {
  const video = document.querySelector<HTMLVideoElement>('#video')
  const message = document.querySelector<HTMLElement>('#message')
  const source = video?.dataset['hls']
  if (video === null || message === null || source === undefined) return
  if (Hls.isSupported()) playWithHlsJs(video, message, source)
  else if (video.canPlayType('application/vnd.apple.mpegurl') !== '') {
    createPlaylistPanel(video)
    video.src = source
  } else show(message, 'This browser cannot play HTTP Live Streaming. Please use a current one.')
}

start()
