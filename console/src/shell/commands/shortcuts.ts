import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { useDestinations } from '../navigation/destinations.ts'
import { useLetterKeys } from './letter-keys.ts'

/** A second key after `g` counts within this time. */
const sequenceMs = 1_500

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.closest('input, textarea, select, [role="menu"], [role="listbox"]') !== null)

const isDialogOpen = (): boolean => document.querySelector('[role="dialog"]') !== null

export const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** The search field of the screen, if it has one. */
const focusSearch = (): boolean => {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]')
  field?.focus()
  field?.select()
  return field !== null
}

/** Ctrl+K or ⌘K opens the palette, `/` focuses search, `?` lists shortcuts, `g` and a letter open a screen. */
export const useShortcuts = ({
  onPalette,
  onHelp,
}: {
  readonly onPalette: () => void
  readonly onHelp: () => void
}): void => {
  const navigate = useNavigate()
  const destinations = useDestinations()
  const [hasLetterKeys] = useLetterKeys()
  const press = useEffectEvent((event: KeyboardEvent, isAfterG: boolean): boolean => {
    const { key, ctrlKey, metaKey, altKey } = event
    if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k') {
      onPalette()
      return true
    }
    if (!hasLetterKeys || ctrlKey || metaKey || altKey || isTyping(event.target) || isDialogOpen())
      return false
    const destination = isAfterG ? destinations.find(({ jump }) => jump === key) : undefined
    if (destination !== undefined) void navigate({ to: destination.to })
    else if (key === '?') onHelp()
    else if (key === '/' && !focusSearch()) onPalette()
    else return key === '/'
    return true
  })
  useEffect(() => {
    let gAt = -Infinity
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return
      const now = performance.now()
      const isDone = press(event, now - gAt < sequenceMs)
      gAt = !isDone && event.key === 'g' ? now : -Infinity
      if (isDone) event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
