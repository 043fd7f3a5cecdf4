import { Menu, type MenuProps } from '@mantine/core'
import { useId, useState, type MouseEvent, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { ExistingTarget } from './existing-target.tsx'

/**
 * A menu that exists after the first press of its button, because a `Menu` costs more than what is around it.
 * `render` returns the button with these properties.
 */
export const LazyMenu = ({
  render,
  children,
  ...menu
}: Pick<MenuProps, 'position' | 'closeOnItemClick' | 'keepMounted'> & {
  readonly render: (props: {
    readonly id: string
    readonly 'aria-haspopup': 'menu'
    readonly 'aria-expanded': boolean
    readonly 'aria-controls'?: string
    readonly onClick: (event: MouseEvent<HTMLElement>) => void
  }) => ReactNode
  /** The items. */
  readonly children: ReactNode
}) => {
  const id = useId()
  const [button, setButton] = useState<HTMLElement | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  const toggle = ({ currentTarget }: MouseEvent<HTMLElement>): void => {
    // A menu that is open from its first render would not return the focus.
    if (button === null) flushSync(() => setButton(currentTarget))
    setIsOpen(!isOpen)
  }
  return (
    <>
      {render({
        id,
        'aria-haspopup': 'menu',
        'aria-expanded': isOpen,
        ...(isOpen && { 'aria-controls': `${id}-dropdown` }),
        onClick: toggle,
      })}
      {button !== null && (
        <Menu id={id} opened={isOpen} onChange={setIsOpen} position="bottom-end" {...menu}>
          <Menu.Target>
            <ExistingTarget element={button} />
          </Menu.Target>
          <Menu.Dropdown>{children}</Menu.Dropdown>
        </Menu>
      )}
    </>
  )
}
