import { memo } from 'react'
import type { PaletteEntry, PaletteGroup } from './palette-entries.ts'

interface OptionProps {
  readonly id: string
  readonly entry: PaletteEntry
  readonly isChosen: boolean
}

const isSame = (one: OptionProps, other: OptionProps): boolean =>
  one.id === other.id &&
  one.isChosen === other.isChosen &&
  one.entry.label === other.entry.label &&
  one.entry.about === other.entry.about &&
  one.entry.icon === other.entry.icon

/** Most entries are the same after a key, so they do not render again. */
const Option = memo(
  ({ id, entry: { label, about, icon: Picture, keys }, isChosen }: OptionProps) => (
    <div id={id} role="option" className="palette-option" aria-selected={isChosen}>
      <Picture size={18} stroke={1.75} aria-hidden />
      <div className="palette-text">
        <div>{label}</div>
        {about !== undefined && <div className="palette-about">{about}</div>}
      </div>
      {keys !== undefined && (
        <span className="palette-keys">
          {keys.map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}
        </span>
      )}
    </div>
  ),
  isSame,
)

const List = ({
  id,
  label,
  groups,
  chosenId,
  onRun,
}: {
  /** Begins the ids of the list and of its entries. */
  readonly id: string
  readonly label: string
  readonly groups: readonly PaletteGroup[]
  readonly chosenId: string | undefined
  readonly onRun: (entry: PaletteEntry) => void
}) => (
  // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field has the keys
  <div
    id={`${id}-list`}
    role="listbox"
    tabIndex={-1}
    aria-label={label}
    className="palette-list"
    hidden={groups.length === 0}
    onClick={({ target }) => {
      const option = target instanceof Element ? target.closest('[role=option]') : null
      const entry = groups.flatMap(({ entries }) => entries).find((one) => `${id}-${one.id}` === option?.id)
      if (entry !== undefined) onRun(entry)
    }}
  >
    {groups.map(({ title, entries }) => (
      <div key={title} role="group" aria-label={title} className="palette-group" data-title={title}>
        {entries.map((entry) => (
          <Option key={entry.id} id={`${id}-${entry.id}`} entry={entry} isChosen={entry.id === chosenId} />
        ))}
      </div>
    ))}
  </div>
)

/** The entries of the palette. The focus stays in its field. */
export const PaletteList = memo(List)
