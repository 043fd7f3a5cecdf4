import { startPage } from '../start-page.ts'
import { openFilePage } from './file-page.ts'

startPage('player', (stage, tools) => {
  const video = document.querySelector<HTMLVideoElement>('#video')
  const message = document.querySelector<HTMLElement>('#message')
  if (video !== null && message !== null) openFilePage(stage, video, message, tools)
})
