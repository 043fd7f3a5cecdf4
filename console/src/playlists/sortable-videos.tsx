import { Accessibility, StyleInjector, type DragDropManagerInput } from '@dnd-kit/dom'
import { DragDropProvider } from '@dnd-kit/react'
import { isSortable, useSortable } from '@dnd-kit/react/sortable'
import { ActionIcon, Group, Paper, Stack, useMantineStyleNonce } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconGripVertical, IconX } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { currentLanguage, type Translate, useTexts } from '../shell/texts.ts'
import type { Place } from './playlist-order.ts'
import { titleOf, VideoLine } from './video-line.tsx'

type Plugins = Exclude<NonNullable<DragDropManagerInput['plugins']>, (...args: never[]) => unknown>

interface SortableProps {
  readonly places: readonly Place[]
  readonly onMove: (from: number, to: number) => void
  /** Moves by a button. Only drags are announced by the library itself. */
  readonly onStep: (from: number, to: number) => void
  readonly onRemove: (index: number) => void
}

export const SortableVideos = ({ places, onMove, onStep, onRemove }: SortableProps) => (
  // The instructions are set when it mounts, so a new language needs a new instance.
  <Sorter key={currentLanguage()} places={places} onMove={onMove} onStep={onStep} onRemove={onRemove} />
)

const Sorter = ({ places, onMove, onStep, onRemove }: SortableProps) => {
  const t = useTexts('playlists.playlist')
  const nonce = useMantineStyleNonce()?.() ?? ''
  const [plugins] = useState(() => spokenPlugins(t, nonce))
  return (
    <DragDropProvider
      plugins={plugins}
      onDragEnd={({ canceled, operation: { source } }) => {
        if (!canceled && isSortable(source)) onMove(source.initialIndex, source.index)
      }}
    >
      <Stack component="ol" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
        {places.map((place, index) => (
          <Row
            key={place.id}
            place={place}
            index={index}
            count={places.length}
            onStep={onStep}
            onRemove={onRemove}
          />
        ))}
      </Stack>
    </DragDropProvider>
  )
}

interface Spoken {
  readonly title: string
  readonly count: number
}

type Announcements = NonNullable<NonNullable<ConstructorParameters<typeof Accessibility>[1]>['announcements']>

/** Localized announcements of a drag, and styles with the nonce of our policy. */
const spokenPlugins = (t: Translate<'playlists.playlist'>, nonce: string) => {
  const say = (
    words: 'pickedUp' | 'movedTo' | 'putDown' | 'left',
    data: Partial<Spoken>,
    index: number,
  ): string => t(words, { title: data.title, place: index + 1, count: data.count })
  const announcements: Announcements = {
    dragstart: ({ operation: { source } }) =>
      isSortable(source) ? say('pickedUp', source.data, source.index) : undefined,
    // Over itself, the position is unchanged.
    dragover: ({ operation: { source, target } }) =>
      isSortable(source) && isSortable(target) && target.id !== source.id
        ? say('movedTo', source.data, target.index)
        : undefined,
    dragend: ({ operation: { source }, canceled }) =>
      isSortable(source) ? say(canceled ? 'left' : 'putDown', source.data, source.index) : undefined,
  }
  return (defaults: Plugins): Plugins => [
    ...defaults,
    StyleInjector.configure({ nonce }),
    Accessibility.configure({
      announcements,
      screenReaderInstructions: { draggable: t('instructions') },
    }),
  ]
}

const Row = ({
  place,
  index,
  count,
  onStep,
  onRemove,
}: {
  readonly place: Place
  readonly index: number
  readonly count: number
} & Pick<SortableProps, 'onStep' | 'onRemove'>) => {
  const t = useTexts('playlists.playlist')
  const title = titleOf(place.element)
  const { ref, handleRef, isDragging } = useSortable<Spoken>({ id: place.id, index, data: { title, count } })
  const row = useRef<HTMLLIElement | null>(null)
  const step = (to: number, name: 'up' | 'down'): void => {
    onStep(index, to)
    // A moved row loses the focus.
    setTimeout(() => row.current?.querySelector<HTMLElement>(`[data-step=${name}]`)?.focus(), 0)
  }
  const isFirst = index === 0
  const isLast = index === count - 1
  return (
    <Paper
      component="li"
      withBorder
      p="xs"
      className="playlist-row"
      shadow={isDragging ? 'md' : ''}
      ref={(element: HTMLLIElement | null) => {
        row.current = element
        ref(element)
      }}
    >
      <Group gap="xs" className="playlist-row-parts">
        <ActionIcon
          ref={handleRef}
          variant="subtle"
          color="gray"
          aria-label={t('handle', { title })}
          aria-roledescription={t('draggable')}
          style={{ cursor: 'grab', touchAction: 'none' }}
        >
          <IconGripVertical size={18} aria-hidden />
        </ActionIcon>
        <VideoLine video={place.element} />
        <Group wrap="nowrap" gap={2} className="playlist-row-acts">
          <ActionIcon
            variant="subtle"
            color="gray"
            data-step="up"
            aria-label={t('up', { title })}
            aria-disabled={isFirst}
            {...(isFirst && { 'data-disabled': true })}
            onClick={() => !isFirst && step(index - 1, 'up')}
          >
            <IconArrowUp size={18} aria-hidden />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            data-step="down"
            aria-label={t('down', { title })}
            aria-disabled={isLast}
            {...(isLast && { 'data-disabled': true })}
            onClick={() => !isLast && step(index + 1, 'down')}
          >
            <IconArrowDown size={18} aria-hidden />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('remove', { title })}
            onClick={() => onRemove(index)}
          >
            <IconX size={18} aria-hidden />
          </ActionIcon>
        </Group>
      </Group>
    </Paper>
  )
}
