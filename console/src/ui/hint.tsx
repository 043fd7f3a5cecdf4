import { Tooltip } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { useEffect, useId, useRef, useState, type FocusEvent, type MouseEvent, type ReactNode } from 'react'

const openDelayMs = 300

const OpenHint = ({
  id,
  place,
  label,
  onClose,
}: {
  readonly id: string
  readonly place: HTMLElement
  readonly label: string
  readonly onClose: () => void
}) => {
  useWindowEvent('keydown', ({ key }) => key === 'Escape' && onClose())
  return <Tooltip opened target={place} label={<span id={id}>{label}</span>} />
}

/**
 * A tooltip that exists only while it is open: a list has one for each row, and a `Tooltip` costs as much as the
 * rest of the row.
 */
export const useHint = (
  label: () => string,
): { readonly target: Record<string, unknown>; readonly hint: ReactNode } => {
  const id = useId()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [place, setPlace] = useState<HTMLElement | null>(null)
  useEffect(() => () => clearTimeout(timer.current), [])
  const close = (): void => {
    clearTimeout(timer.current)
    setPlace(null)
  }
  return {
    target: {
      'aria-describedby': place === null ? undefined : id,
      onMouseEnter: ({ currentTarget }: MouseEvent<HTMLElement>) => {
        clearTimeout(timer.current)
        timer.current = setTimeout(() => setPlace(currentTarget), openDelayMs)
      },
      onMouseLeave: close,
      onFocus: ({ currentTarget }: FocusEvent<HTMLElement>) => {
        if (currentTarget.matches(':focus-visible')) setPlace(currentTarget)
      },
      onBlur: close,
    },
    hint: place !== null && <OpenHint id={id} place={place} label={label()} onClose={close} />,
  }
}
