import './palette.css'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import {
  useDeferredValue,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
} from 'react'
import { createPortal, flushSync } from 'react-dom'
import { useStable } from '../../ui/hooks/use-stable.ts'
import { useTexts } from '../texts.ts'
import {
  usePaletteGroups,
  type PaletteActions,
  type PaletteEntry,
  type PaletteGroup,
} from './palette-entries.ts'
import { PaletteList } from './palette-list.tsx'

const pauseMs = 150
const noGroups: readonly PaletteGroup[] = []

const steps: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 }

/** Turns the wheel inside of the list alone: the page behind the dialog stays where it is. */
const keepWheel = (event: WheelEvent): void => {
  // The wheel with Ctrl zooms.
  if (event.ctrlKey) return
  const list = event.target instanceof Element ? event.target.closest('.palette-list') : null
  if (list === null || list.scrollHeight <= list.clientHeight) event.preventDefault()
}

/**
 * Finds projects, files, streams, settings and actions by name. Made of plain elements: it opens and filters on
 * each key, and the dialog and the entries of Mantine take longer than a frame. So does a `dialog` element, which
 * makes the browser style the whole page behind it again.
 */
export const CommandPalette = ({
  onClose,
  ...actions
}: PaletteActions & { readonly onClose: () => void }) => {
  const t = useTexts('shell.palette')
  const id = useId()
  const overlay = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const [query, setQuery] = useState('')
  const [search] = useDebouncedValue(query, pauseMs)
  const groups = usePaletteGroups(query, search, actions)
  const entries = groups.flatMap((group) => group.entries)
  /** Null = the first, also when results of the server come before it. */
  const [chosenId, setChosenId] = useState<string | null>(null)
  const chosen = entries.find((entry) => entry.id === chosenId) ?? entries[0]
  // The field appears and shows a key before the entries do. Enter runs the current ones.
  const shownGroups = useDeferredValue(groups, noGroups)
  useLayoutEffect(() => {
    const before = document.activeElement
    field.current?.focus({ preventScroll: true })
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [])
  useEffect(() => {
    const shown = overlay.current
    shown?.addEventListener('wheel', keepWheel, { passive: false })
    return () => shown?.removeEventListener('wheel', keepWheel)
  }, [])
  useEffect(() => {
    if (chosenId !== null) document.getElementById(`${id}-${chosenId}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, chosenId])
  const run = useStable((entry: PaletteEntry): void => {
    // Returns the focus, which the next dialog or screen then takes.
    flushSync(onClose)
    entry.run()
  })
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    const step = steps[event.key]
    if (step !== undefined) {
      const at = chosen === undefined ? -1 : entries.indexOf(chosen)
      setChosenId(entries.at((at + step) % entries.length)?.id ?? null)
    } else if (event.key === 'Enter' && chosen !== undefined) run(chosen)
    else if (event.key === 'Escape') onClose()
    // The field is all that takes the focus.
    else if (event.key !== 'Tab') return
    event.preventDefault()
  }
  return createPortal(
    <div
      ref={overlay}
      className="palette-overlay"
      role="presentation"
      onMouseDown={(event) => {
        if (event.target === event.currentTarget) onClose()
        // A press would take the focus from the field.
        else if (event.target !== field.current) event.preventDefault()
      }}
    >
      <div role="dialog" aria-modal className="palette" aria-label={t('title')}>
        <div className="palette-search">
          <IconSearch size={18} aria-hidden />
          <input
            ref={field}
            type="search"
            role="combobox"
            aria-label={t('title')}
            aria-autocomplete="list"
            aria-expanded={entries.length > 0}
            aria-controls={`${id}-list`}
            aria-activedescendant={chosen && `${id}-${chosen.id}`}
            placeholder={t('placeholder')}
            autoComplete="off"
            spellCheck={false}
            // Escape closes this dialog, and not one of Mantine behind it.
            data-mantine-stop-propagation
            value={query}
            onChange={(event) => {
              setQuery(event.currentTarget.value)
              setChosenId(null)
            }}
            onKeyDown={onKeyDown}
          />
        </div>
        <div className={entries.length === 0 ? 'palette-nothing' : 'palette-count'} role="status">
          {entries.length === 0 ? t('nothing') : query !== '' && t('found', { count: entries.length })}
        </div>
        <PaletteList id={id} label={t('title')} groups={shownGroups} chosenId={chosen?.id} onRun={run} />
      </div>
    </div>,
    document.body,
  )
}
