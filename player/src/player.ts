import './player.css'
import './playlist.css'
import './live/live.css'
import { openLivePage } from './live/live-page.ts'
import { playFile } from './play-file.ts'

const start = (): void => {
  const live = document.querySelector<HTMLElement>('#live')
  if (live !== null) return openLivePage(live)
  const video = document.querySelector<HTMLVideoElement>('#video')
  const message = document.querySelector<HTMLElement>('#message')
  const source = video?.dataset['hls']
  if (video === null || message === null || source === undefined) return
  void playFile(video, message, source)
}

start()
