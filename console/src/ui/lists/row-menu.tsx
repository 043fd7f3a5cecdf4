import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useId, useLayoutEffect, useState, type MouseEvent, type ReactNode, type RefCallback } from 'react'
import { flushSync } from 'react-dom'

/** Makes an element that exists already the target of a menu, which passes the `ref`. */
const Existing = ({
  element,
  ref,
}: {
  readonly element: HTMLElement
  readonly ref?: RefCallback<HTMLElement>
}) => {
  useLayoutEffect(() => void ref?.(element), [element, ref])
  return null
}

/**
 * The menu of a row. It exists after the first press of its button: a list has one for each row, and a `Menu`
 * costs as much as the rest of the row.
 */
export const RowMenu = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => {
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
      <ActionIcon
        id={id}
        variant="subtle"
        color="gray"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        {...(isOpen && { 'aria-controls': `${id}-dropdown` })}
        onClick={toggle}
      >
        <IconDots size={16} aria-hidden />
      </ActionIcon>
      {button !== null && (
        <Menu id={id} opened={isOpen} onChange={setIsOpen} position="bottom-end">
          <Menu.Target>
            <Existing element={button} />
          </Menu.Target>
          <Menu.Dropdown>{children}</Menu.Dropdown>
        </Menu>
      )}
    </>
  )
}
