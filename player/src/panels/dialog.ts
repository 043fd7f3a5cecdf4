import { element, iconButton } from '../ui/dom.ts'
import { panelTexts } from './panel-texts.ts'

/** A modal dialog, removed when it closes. `key` closes it, too: the one that opened it. */
export const openDialog = (
  stage: HTMLElement,
  { title, key }: { readonly title: string; readonly key?: string },
  ...content: readonly HTMLElement[]
): HTMLDialogElement => {
  const dialog = element('dialog', { class: 'dialog', 'aria-label': title })
  const close = iconButton('close', () => dialog.close())
  close.say('close', panelTexts().close)
  dialog.append(element('header', {}, element('h2', {}, title), close.button), ...content)
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close()
  })
  dialog.addEventListener('keydown', (event) => {
    if (event.key === key && !event.repeat && !(event.target instanceof HTMLInputElement)) dialog.close()
  })
  dialog.addEventListener('close', () => dialog.remove())
  stage.append(dialog)
  dialog.showModal()
  return dialog
}
