import { useRouter } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import { afterPaint } from '../hooks/after-paint.ts'

const opensHere = ({ button, metaKey, altKey, ctrlKey, shiftKey }: MouseEvent): boolean =>
  button === 0 && !metaKey && !altKey && !ctrlKey && !shiftKey

/**
 * The link of a row to a screen. The `Link` of the router finds its address and its state again after each
 * navigation, and a list has one for each row.
 */
export const ListLink = ({
  to,
  title,
  className,
  children,
}: {
  /** A path below `/console`. */
  readonly to: string
  readonly title?: string
  readonly className?: string
  readonly children: ReactNode
}) => {
  const router = useRouter()
  const preload = (): void => void router.preloadRoute({ to }).catch(() => undefined)
  return (
    <a
      href={`${router.basepath}${to}`}
      onClick={(event) => {
        if (!opensHere(event)) return
        event.preventDefault()
        afterPaint(() => void router.navigate({ to }))
      }}
      onMouseEnter={preload}
      onTouchStart={preload}
      onFocus={preload}
      {...{ title, className }}
    >
      {children}
    </a>
  )
}
