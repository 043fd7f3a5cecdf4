import { useLayoutEffect, type RefCallback } from 'react'

/** Makes an element that exists already the target of a menu or a popover, which passes the `ref`. */
export const ExistingTarget = ({
  element,
  ref,
}: {
  readonly element: HTMLElement
  readonly ref?: RefCallback<HTMLElement>
}) => {
  useLayoutEffect(() => void ref?.(element), [element, ref])
  return null
}
