import { element, iconButton } from './dom.ts'
import type { Shape } from './shapes.ts'

export interface MenuItem {
  readonly label: string
  readonly isChosen: boolean
  readonly choose: () => void
}

export interface MenuGroup {
  readonly label: string
  readonly items: readonly MenuItem[]
}

export interface Menu {
  readonly element: HTMLElement
  /** Hides the menu when it has no items. */
  readonly show: () => void
  readonly close: () => void
}

const isOpenMark = 'aria-expanded'

/**
 * A button that opens groups with one selected item each. Follows the "menu button" pattern of the ARIA
 * Authoring Practices.
 */
export const createMenu = (
  shape: Shape,
  label: string,
  groupsOf: () => readonly MenuGroup[],
  key?: string,
): Menu => {
  const panel = element('div', { class: 'panel', role: 'menu', 'aria-label': label })
  panel.hidden = true
  const { button, say } = iconButton('menu-button', () => (panel.hidden ? open() : close()), key)
  say(shape, label)
  button.setAttribute('aria-haspopup', 'menu')
  button.setAttribute(isOpenMark, 'false')
  const menu = element('div', { class: 'menu' }, button, panel)
  const items = (): HTMLElement[] => [...panel.querySelectorAll<HTMLElement>('[role=menuitemradio]')]

  const close = (): void => {
    if (panel.hidden) return
    const hadFocus = panel.contains(document.activeElement)
    panel.hidden = true
    button.setAttribute(isOpenMark, 'false')
    if (hadFocus) button.focus()
  }

  const draw = (): void => {
    panel.replaceChildren(
      ...groupsOf()
        .filter((group) => group.items.length > 0)
        .map((group) =>
          element(
            'div',
            { role: 'group', 'aria-label': group.label },
            element('p', { 'aria-hidden': 'true' }, group.label),
            ...group.items.map(({ label: text, isChosen, choose }) => {
              const item = element(
                'button',
                { type: 'button', role: 'menuitemradio', 'aria-checked': String(isChosen), tabindex: '-1' },
                text,
              )
              item.addEventListener('click', () => {
                choose()
                close()
              })
              return item
            }),
          ),
        ),
    )
  }

  const open = (): void => {
    draw()
    panel.hidden = false
    button.setAttribute(isOpenMark, 'true')
    const all = items()
    ;(all.find((item) => item.getAttribute('aria-checked') === 'true') ?? all[0])?.focus()
  }

  const move = (to: (at: number, count: number) => number): void => {
    const all = items()
    const at = all.findIndex((item) => item === document.activeElement)
    all[(to(at, all.length) + all.length) % all.length]?.focus()
  }
  const acts: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move((at) => at + 1),
    ArrowUp: () => move((at) => at - 1),
    Home: () => move(() => 0),
    End: () => move((_at, count) => count - 1),
    Escape: close,
    Tab: close,
  }
  menu.addEventListener('keydown', (event) => {
    if (panel.hidden || !Object.hasOwn(acts, event.key)) return
    acts[event.key]?.()
    if (event.key !== 'Tab') event.preventDefault()
    // The shortcuts of the player must not react to these keys.
    event.stopPropagation()
  })
  document.addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Node && !menu.contains(target)) close()
  })

  return {
    element: menu,
    show: () => {
      menu.hidden = groupsOf().every((group) => group.items.length === 0)
      if (menu.hidden) close()
    },
    close,
  }
}
