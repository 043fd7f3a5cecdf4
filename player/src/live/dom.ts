/** An element with its attributes and what is in it; text stays text. */
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

/** Drawn on 24 × 24. */
const shapes = {
  play: 'M7 4.5v15L19.5 12z',
  pause: 'M6 4.5h4.2v15H6zM13.8 4.5H18v15h-4.2z',
  sound:
    'M3 9v6h4l5 4.5v-15L7 9zM14.5 8.2v7.6a4 4 0 0 0 0-7.6zM14.5 4.2v2.1a6 6 0 0 1 0 11.4v2.1a8 8 0 0 0 0-15.6z',
  muted:
    'M3 9v6h4l5 4.5v-15L7 9zM21 9.4 19.6 8 17.5 10.1 15.4 8 14 9.4l2.1 2.1-2.1 2.1 1.4 1.4 2.1-2.1 2.1 2.1 1.4-1.4-2.1-2.1z',
  picture: 'M3 5h18v14H3zM5 7v10h14V7zM12 11.5h6V16h-6z',
  enter: 'M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z',
  leave: 'M8 4h2v6H4V8h4zM14 4h2v4h4v2h-6zM4 14h6v6H8v-4H4zM14 14h6v2h-4v4h-2z',
} as const

export type Shape = keyof typeof shapes

const icon = (shape: Shape): SVGSVGElement => {
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
  /** Changes nothing where it says so already: screen readers would read it again. */
  readonly say: (shape: Shape, label: string) => void
}

export const iconButton = (className: string, key?: string): IconButton => {
  const button = element('button', { type: 'button', class: className })
  if (key !== undefined) button.setAttribute('aria-keyshortcuts', key)
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
