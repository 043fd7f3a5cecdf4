import { element, iconButton } from './dom.ts'
import type { Shape } from './shapes.ts'

export interface MenuItem {
  readonly label: string
  /** Null: an action instead of a choice. */
  readonly isChosen: boolean | null
  readonly choose: () => void
}

export interface MenuGroup {
  readonly label: string
  /** Shown only where the bar has no room for the buttons of these actions. */
  readonly isForNarrow?: boolean
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
  const menu = element('div', { class: `menu of-${shape}` }, button, panel)
  const items = (): HTMLElement[] =>
    [...panel.querySelectorAll<HTMLElement>('[role^=menuitem]')].filter(
      // Style sheets hide actions that have a button.
      (item) => item.offsetParent !== null,
    )

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
            {
              role: 'group',
              'aria-label': group.label,
              ...(group.isForNarrow === true ? { class: 'for-narrow' } : {}),
            },
            element('p', { 'aria-hidden': 'true' }, group.label),
            ...group.items.map(({ label: text, isChosen, choose }) => {
              const kind =
                isChosen === null
                  ? { role: 'menuitem' }
                  : { role: 'menuitemradio', 'aria-checked': String(isChosen) }
              const item = element('button', { type: 'button', tabindex: '-1', ...kind }, text)
              item.addEventListener('click', () => {
                // Before the action, which may move the focus into a dialog.
                close()
                choose()
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
      // Actions alone have their own buttons.
      menu.hidden = groupsOf().every(
        ({ items: all, isForNarrow }) => isForNarrow === true || all.length === 0,
      )
      if (menu.hidden) close()
    },
    close,
  }
}
