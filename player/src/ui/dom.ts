import { shapes, type Shape } from './shapes.ts'

/** Creates an element with attributes and content. Text is never parsed as HTML. */
export const element = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] => {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.append(...content)
  return made
}

export const icon = (shape: Shape): SVGSVGElement => {
  const space = 'http://www.w3.org/2000/svg'
  const svg = document.createElementNS(space, 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS(space, 'path')
  path.setAttribute('d', shapes[shape])
  svg.append(path)
  return svg
}

export interface IconButton {
  readonly button: HTMLButtonElement
  /** Leaves an unchanged label alone, because screen readers would announce it again. */
  readonly say: (shape: Shape, label: string) => void
}

export const iconButton = (className: string, onClick: () => void, key?: string): IconButton => {
  const button = element('button', { type: 'button', class: className })
  if (key !== undefined) button.setAttribute('aria-keyshortcuts', key)
  button.addEventListener('click', onClick)
  let said = ''
  return {
    button,
    say: (shape, label) => {
      if (said === shape + label) return
      said = shape + label
      button.replaceChildren(icon(shape))
      button.setAttribute('aria-label', label)
      button.title = key === undefined ? label : `${label} (${key})`
    },
  }
}

/**
 * Writes only changes, so that screen readers do not announce the text again. Hides the element without text.
 */
export const write = (place: HTMLElement, text: string): void => {
  if (place.textContent !== text) place.textContent = text
  place.hidden = text === ''
}
