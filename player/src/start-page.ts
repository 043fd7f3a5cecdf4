import './styles/player.css'
import './styles/controls.css'
import './styles/captions.css'
import './styles/panels.css'
import './styles/playlist.css'
import './problem/problem.css'
import './live/live.css'
import './styles/logo.css'
import { chooseTexts } from './locales/texts.ts'
import { parseOptions } from './options.ts'
import type { PageTools } from './page-tools.ts'
import { createMemory } from './system/memory.ts'

/** Each kind of page has a script of its own, so that none loads the code of the others. */
export const startPage = (id: string, open: (place: HTMLElement, tools: PageTools) => void): void => {
  const place = document.getElementById(id)
  if (place === null) return
  const options = parseOptions(location.search)
  if (!options.hasLogo) document.querySelector('.logo')?.remove()
  const languages =
    options.language === null ? navigator.languages : [options.language, ...navigator.languages]
  const texts = chooseTexts(document.documentElement, languages)
  open(place, { options, texts, memory: createMemory(options.isRemembering) })
}
