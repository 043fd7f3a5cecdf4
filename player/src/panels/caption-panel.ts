import { lookChoices, usualLook, type CaptionLook, type LookPart } from '../ui/caption-look.ts'
import { element } from '../ui/dom.ts'
import { openDialog } from './dialog.ts'
import { panelTexts } from './panel-texts.ts'

/** Changes apply at once, to the sample and to the captions. */
export const openCaptionPanel = (
  stage: HTMLElement,
  { look, onChange }: { readonly look: CaptionLook; readonly onChange: (look: CaptionLook) => void },
): void => {
  const { title, parts, choices, sample, reset } = panelTexts().captionLook
  let now = look
  const change = (next: CaptionLook): void => {
    now = next
    for (const [part, select] of selects) select.value = now[part]
    onChange(now)
  }
  const selects = (Object.keys(lookChoices) as LookPart[]).map((part) => {
    const names: Readonly<Record<string, string>> = choices[part]
    const select = element(
      'select',
      {},
      ...lookChoices[part].map((value) => element('option', { value }, names[value] ?? value)),
    )
    select.value = look[part]
    select.addEventListener('change', () => change({ ...now, [part]: select.value }))
    return [part, select] as const
  })
  const button = element('button', { type: 'button' }, reset)
  button.addEventListener('click', () => change(usualLook))
  openDialog(
    stage,
    { title },
    element('p', { class: 'cue-sample', 'aria-hidden': 'true' }, element('span', {}, sample)),
    element(
      'div',
      { class: 'fields' },
      ...selects.map(([part, select]) => element('label', {}, parts[part], select)),
    ),
    button,
  )
}
