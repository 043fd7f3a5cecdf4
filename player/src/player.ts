import './player.css'
import './controls.css'
import './playlist.css'
import './live/live.css'
import './logo.css'
import { openFilePage } from './file/file-page.ts'
import { openLivePage } from './live/live-page.ts'
import { parseOptions } from './options.ts'
import { chooseTexts } from './locales/texts.ts'

const start = (): void => {
  const options = parseOptions(location.search)
  if (!options.hasLogo) document.querySelector('.logo')?.remove()
  const languages =
    options.language === null ? navigator.languages : [options.language, ...navigator.languages]
  const texts = chooseTexts(document.documentElement, languages)
  const live = document.querySelector<HTMLElement>('#live')
  if (live !== null) return openLivePage(live, { options, texts })
  const stage = document.querySelector<HTMLElement>('#player')
  const video = document.querySelector<HTMLVideoElement>('#video')
  const message = document.querySelector<HTMLElement>('#message')
  if (stage !== null && video !== null && message !== null)
    openFilePage(stage, video, message, { options, texts })
}

start()
