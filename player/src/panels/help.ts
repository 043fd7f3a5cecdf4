import type { ControlledPlayer } from '../controlled-player.ts'
import { element } from '../ui/dom.ts'
import { openDialog } from './dialog.ts'
import { panelTexts } from './panel-texts.ts'

export const openHelp = (
  stage: HTMLElement,
  { kind }: ControlledPlayer,
  { canShare }: { readonly canShare: boolean },
): void => {
  const { keyNames, keySpace, keys: title } = panelTexts()
  const keys: readonly (readonly [string, string])[] = [
    [`K, ${keySpace}`, keyNames.play],
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
    ...(kind === 'playlist'
      ? ([
          ['N, P', keyNames.items],
          ['T', keyNames.theatre],
        ] as const)
      : []),
    ...(canShare ? ([['S', keyNames.share]] as const) : []),
    ['?', keyNames.help],
  ]
  openDialog(
    stage,
    { title, key: '?' },
    element(
      'dl',
      {},
      ...keys.map(([names, does]) => element('div', {}, element('dt', {}, names), element('dd', {}, does))),
    ),
  )
}
