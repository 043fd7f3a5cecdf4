import { toggleFullScreen } from './full-screen.ts'
import type { LiveActions } from './live-controls.ts'

const stepSeconds = 10

/** As in most players: space or K, M, F, L, arrows and End. */
export const listenToKeys = (stage: HTMLElement, video: HTMLVideoElement, actions: LiveActions): void => {
  const acts: Readonly<Record<string, () => void>> = {
    ' ': actions.togglePlay,
    k: actions.togglePlay,
    m: actions.toggleSound,
    f: () => toggleFullScreen(stage, video),
    l: actions.goLive,
    end: actions.goLive,
    arrowleft: () => actions.seekBy(-stepSeconds),
    arrowright: () => actions.seekBy(stepSeconds),
  }
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const key = event.key.toLowerCase()
    const { target } = event
    // Buttons and sliders have keys of their own.
    const isTheirs =
      (target instanceof HTMLButtonElement && key === ' ') ||
      (target instanceof HTMLInputElement && (key.startsWith('arrow') || key === 'end'))
    if (isTheirs || !Object.hasOwn(acts, key)) return
    event.preventDefault()
    acts[key]?.()
  })
}
