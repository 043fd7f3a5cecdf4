import type { ControlledPlayer } from '../controlled-player.ts'
import { fill } from '../locales/texts.ts'
import { shareLink } from '../share-link.ts'
import { clockText } from '../ui/clock-text.ts'
import { element } from '../ui/dom.ts'
import { openDialog } from './dialog.ts'
import { panelTexts } from './panel-texts.ts'

/** Copies without the clipboard API too: frames of other sites need a permission for it. */
const copy = async (input: HTMLInputElement): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(input.value)
    return true
  } catch {
    input.select()
    return document.execCommand('copy')
  }
}

export const openShare = (
  stage: HTMLElement,
  { video, kind }: ControlledPlayer,
  { address }: { readonly address: string },
): void => {
  const texts = panelTexts()
  const seconds = kind === 'live' ? 0 : Math.floor(video.currentTime)
  const link = element('input', { type: 'text', readonly: '', 'aria-label': texts.link })
  const fromHere = element('input', { type: 'checkbox' })
  fromHere.checked = seconds > 0
  const show = (): void => {
    link.value = shareLink(address, fromHere.checked ? seconds : null)
    said.textContent = ''
  }
  const said = element('p', { class: 'said', role: 'status' })
  const button = element('button', { type: 'button', class: 'primary' }, texts.copyLink)
  button.addEventListener('click', () => {
    void copy(link).then((isCopied) => {
      said.textContent = isCopied ? texts.copied : texts.copyByHand
    })
  })
  link.addEventListener('focus', () => link.select())
  fromHere.addEventListener('change', show)
  show()
  openDialog(
    stage,
    { title: texts.share, key: 's' },
    element('div', { class: 'link-row' }, link, button),
    ...(seconds > 0
      ? [element('label', {}, fromHere, fill(texts.startAt, { time: clockText(seconds) }))]
      : []),
    said,
  )
  button.focus()
}
