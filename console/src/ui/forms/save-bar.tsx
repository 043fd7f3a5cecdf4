import '../styles/settings.css'
import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import { useEffect, useRef, type ReactNode } from 'react'
import { useTexts } from '../../shell/texts.ts'
import { ProblemAlert } from '../problem-alert.tsx'
import { useReturnFocus } from '../hooks/use-return-focus.ts'
import { UnsavedChanges } from './unsaved-changes.tsx'

/**
 * At the end of a form: stays in view while there are unsaved changes, and asks before the user leaves them.
 * Ctrl+S or ⌘S saves.
 */
export const SaveBar = ({
  isDirty,
  isSaving,
  isReady = true,
  problem = null,
  said,
  section,
  onSave,
  onDiscard,
  children,
}: {
  readonly isDirty: boolean
  readonly isSaving: boolean
  /** False while something must be corrected first. */
  readonly isReady?: boolean
  readonly problem?: unknown
  /** Replaces "Unsaved changes". */
  readonly said?: string
  /** As for `UnsavedChanges`. */
  readonly section?: string | undefined
  /** Without it, the button submits the form around the bar. */
  readonly onSave?: () => void
  readonly onDiscard: () => void
  /** Above the buttons, such as a conflict. */
  readonly children?: ReactNode
}) => {
  const t = useTexts('ui.saveBar')
  const button = useRef<HTMLButtonElement>(null)
  const bar = useRef<HTMLDivElement>(null)
  useReturnFocus(isDirty, bar)
  useEffect(() => {
    if (!isDirty) return undefined
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return
      event.preventDefault()
      // A dialog has a form of its own.
      const focused = document.activeElement
      if (focused?.closest('[aria-modal="true"]') != null) return
      // Some fields, such as tags, take what is typed when they are left.
      if (focused instanceof HTMLElement) {
        focused.blur()
        focused.focus({ preventScroll: true })
      }
      requestAnimationFrame(() => button.current?.click())
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [isDirty])
  // Notifications appear above the bar.
  useEffect(() => {
    if (!isDirty || bar.current === null) return undefined
    const { style } = document.documentElement
    const observer = new ResizeObserver(([entry]) =>
      style.setProperty('--save-bar-height', `${entry?.borderBoxSize[0]?.blockSize ?? 0}px`),
    )
    observer.observe(bar.current)
    return () => {
      observer.disconnect()
      style.removeProperty('--save-bar-height')
    }
  }, [isDirty])
  return (
    <div ref={bar} className="save-bar" data-dirty={isDirty}>
      <UnsavedChanges isDirty={isDirty} section={section} />
      <Text size="sm" role="status" className={isDirty ? 'save-bar-said' : ''}>
        {isDirty && (said ?? t('unsaved'))}
      </Text>
      {isDirty && (
        <Paper withBorder shadow="lg" p="sm">
          <Stack gap="xs">
            <ProblemAlert error={problem} />
            {children}
            <Group justify="space-between" gap="xs">
              <Text size="sm" fw={500} aria-hidden>
                {said ?? t('unsaved')}
              </Text>
              <Group gap="xs">
                <Button variant="default" disabled={isSaving} onClick={onDiscard}>
                  {t('discard')}
                </Button>
                <Button
                  ref={button}
                  loading={isSaving}
                  disabled={!isReady}
                  {...(onSave === undefined ? { type: 'submit' } : { onClick: onSave })}
                >
                  {t('save')}
                </Button>
              </Group>
            </Group>
          </Stack>
        </Paper>
      )}
    </div>
  )
}
