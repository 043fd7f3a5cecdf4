import type { ControlledPlayer } from '../controlled-player.ts'
import { element, iconButton } from './dom.ts'
import type { Texts } from '../locales/texts.ts'

export interface Help {
  readonly dialog: HTMLDialogElement
  readonly toggle: () => void
}

export const createHelp = ({ kind }: ControlledPlayer, texts: Texts): Help => {
  const { keyNames } = texts
  const keys: readonly (readonly [string, string])[] = [
    [`K, ${texts.keySpace}`, keyNames.play],
    ['←, →', keyNames.seek],
    ['J, L', keyNames.seekFar],
    ['0 – 9', keyNames.tenths],
    ['Home, End', keyNames.ends],
    ['↑, ↓', keyNames.volume],
    ['M', keyNames.mute],
    ['C', keyNames.captions],
    ['F', keyNames.fullScreen],
    ['I', keyNames.picture],
    ...(kind === 'live' ? [] : ([['<, >', keyNames.speed]] as const)),
    ...(kind === 'playlist' ? ([['N, P', keyNames.items]] as const) : []),
    ['?', keyNames.help],
  ]
  const dialog = element('dialog', { class: 'help', 'aria-label': texts.keys })
  const close = iconButton('close', () => dialog.close())
  close.say('close', texts.close)
  dialog.append(
    element('header', {}, element('h2', {}, texts.keys), close.button),
    element(
      'dl',
      {},
      ...keys.map(([names, does]) => element('div', {}, element('dt', {}, names), element('dd', {}, does))),
    ),
  )
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close()
  })
  dialog.addEventListener('keydown', ({ key }) => {
    if (key === '?') dialog.close()
  })
  return { dialog, toggle: () => (dialog.open ? dialog.close() : dialog.showModal()) }
}
