import '@mantine/spotlight/styles.css'
import './palette.css'
import { Kbd, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useId, useState } from 'react'
import { useTexts } from '../texts.ts'
import { usePaletteGroups, type PaletteActions } from './palette-entries.ts'

const pauseMs = 150

const [store, { open }] = createSpotlight()

/** Spotlight selects the first entry when the query changes, which is before the server has answered. */
const SelectFirst = ({
  listId,
  firstId,
}: {
  readonly listId: string
  readonly firstId: string | undefined
}) => {
  useEffect(() => {
    if (firstId === undefined) return
    const list = document.getElementById(listId)
    list?.querySelector('[data-selected]')?.removeAttribute('data-selected')
    list?.querySelector('[data-action]')?.setAttribute('data-selected', 'true')
    // Each update renders all entries again.
    if (store.getState().selected !== 0) store.updateState((state) => ({ ...state, selected: 0 }))
  }, [listId, firstId])
  return null
}

/** Finds projects, files, streams, settings and actions by name. Loaded when it is first opened. */
export const CommandPalette = ({
  isOpen,
  onClose,
  ...actions
}: PaletteActions & { readonly isOpen: boolean; readonly onClose: () => void }) => {
  const t = useTexts('shell.palette')
  const [query, setQuery] = useState('')
  const [search] = useDebouncedValue(query, pauseMs)
  const groups = usePaletteGroups(query, search, actions)
  // Spotlight uses it in a selector.
  const listId = useId().replaceAll(/[^\w-]/g, '')
  useEffect(() => {
    if (isOpen) open()
  }, [isOpen])
  const count = groups.reduce((sum, { entries }) => sum + entries.length, 0)
  return (
    <Spotlight.Root
      store={store}
      shortcut={null}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={onClose}
      attributes={{ content: { 'aria-label': t('title') } }}
      size={640}
      yOffset="10vh"
      radius="lg"
      overlayProps={{ backgroundOpacity: 0.35 }}
      transitionProps={{ duration: 100, transition: 'fade' }}
    >
      <Spotlight.Search
        type="search"
        aria-label={t('title')}
        placeholder={t('placeholder')}
        leftSection={<IconSearch size={18} aria-hidden />}
      />
      <VisuallyHidden role="status">{query !== '' && t('found', { count })}</VisuallyHidden>
      <Spotlight.ActionsList id={listId}>
        {groups.map(({ title, entries }) => (
          <Spotlight.ActionsGroup key={title} label={title}>
            {entries.map(({ id, label, about, icon: Picture, keys = [], run }) => (
              <Spotlight.Action
                key={id}
                label={label}
                {...(about !== undefined && { description: about })}
                leftSection={<Picture size={18} stroke={1.75} aria-hidden />}
                rightSection={
                  <span className="palette-keys">
                    {keys.map((key) => (
                      <Kbd key={key} size="xs">
                        {key}
                      </Kbd>
                    ))}
                  </span>
                }
                onClick={run}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {groups.length === 0 && <Spotlight.Empty>{t('nothing')}</Spotlight.Empty>}
        <SelectFirst listId={listId} firstId={groups[0]?.entries[0]?.id} />
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}
