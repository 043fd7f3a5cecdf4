import { ActionIcon, Menu } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { memo, useMemo, type ReactNode } from 'react'
import { useTexts } from '../../shell/texts.ts'
import { useHint } from '../hint.tsx'
import { LazyMenu } from '../menu/lazy-menu.tsx'

export interface TableColumn<Row> {
  readonly key: string
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  /** Only screen readers get the header, such as that of buttons. */
  readonly isHeaderHidden?: boolean
  readonly align?: 'start' | 'end'
  /** In pixels. The columns without a width share the rest. */
  readonly width?: number
  /** Minimum width of a column without `width`, in pixels. */
  readonly minWidth?: number
  /** Whether the table leaves the column out if it would scroll sideways. The last such column goes first. */
  readonly yields?: boolean
  /** The value may have several lines. Other values are cut off with "…". */
  readonly wraps?: boolean
  /** A card leaves out the value, as it does empty texts and `–`. */
  readonly isEmpty?: (row: Row) => boolean
  /** Users can hide the column. */
  readonly hideable?: boolean
  readonly isHiddenAtFirst?: boolean
  /** `orderBy` of the API, if the list can be sorted by this column. */
  readonly orderBy?: string
  /** Order after the first click: newest and largest first, unless it is `asc`. */
  readonly firstSort?: 'asc' | 'desc'
}

export interface TableSelection<Row> {
  readonly has: (row: Row) => boolean
  /** With shift: all rows from the last selected one to this one. */
  readonly toggle: (row: Row, withShift: boolean) => void
  readonly setPage: (isChosen: boolean) => void
  /** For the label of the checkbox. */
  readonly nameOf: (row: Row) => string
}

/** Safari forgets the roles of a table whose rows CSS shows as cards, so they are named. */
export const tableRoles = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  head: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const

/** Below this width CSS shows the rows as cards, which have room for all values. */
const cards = '(max-width: 39.99em)'

const freeWidth = 160

export const widthOf = (
  columns: readonly { readonly width?: number; readonly minWidth?: number }[],
): number => columns.reduce((sum, { width, minWidth = freeWidth }) => sum + (width ?? minWidth), 0)

/** The columns for which the table has room. The list stays sorted by a column that the user sees. */
export const fittingColumns = <
  C extends Pick<TableColumn<never>, 'width' | 'minWidth' | 'yields' | 'orderBy'>,
>(
  columns: readonly C[],
  room: number,
  orderBy: string | undefined,
): readonly C[] => {
  if (widthOf(columns) <= room || matchMedia(cards).matches) return columns
  const next = columns.findLast((one) => one.yields === true && (one.orderBy ?? '') !== orderBy)
  return next === undefined
    ? columns
    : fittingColumns(
        columns.filter((one) => one !== next),
        room,
        orderBy,
      )
}

export type HideableColumn = Pick<TableColumn<never>, 'key' | 'header' | 'hideable' | 'isHiddenAtFirst'>

/** Which columns of a table this browser shows. */
export const useShownColumns = <C extends HideableColumn>(
  tableId: string,
  columns: readonly C[],
): { readonly shown: readonly C[]; readonly toggle: (key: string) => void } => {
  // Stores the columns that differ from their default, so that a new column keeps its default.
  const [changed, setChanged] = useLocalStorage<readonly string[]>({
    key: `zoetrope-changed-columns-${tableId}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  })
  const shown = useMemo(
    () =>
      columns.filter(
        ({ key, hideable, isHiddenAtFirst = false }) =>
          hideable !== true || changed.includes(key) === isHiddenAtFirst,
      ),
    [columns, changed],
  )
  return {
    shown,
    toggle: (key) =>
      setChanged(changed.includes(key) ? changed.filter((one) => one !== key) : [...changed, key]),
  }
}

const ColumnsMenuShown = ({
  columns,
  shown,
  onToggle,
}: {
  readonly columns: readonly HideableColumn[]
  readonly shown: readonly HideableColumn[]
  readonly onToggle: (key: string) => void
}) => {
  const t = useTexts('ui.dataTable')
  const { target, hint } = useHint(() => t('columns'))
  return (
    <>
      <LazyMenu
        closeOnItemClick={false}
        keepMounted={false}
        render={(props) => (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={t('columns')}
            {...target}
            {...props}
          >
            <IconAdjustmentsHorizontal size={16} aria-hidden />
          </ActionIcon>
        )}
      >
        {columns.map(
          ({ key, header, hideable }) =>
            hideable === true && (
              <Menu.CheckboxItem
                key={key}
                checked={shown.some((column) => column.key === key)}
                onChange={() => onToggle(key)}
              >
                {header}
              </Menu.CheckboxItem>
            ),
        )}
      </LazyMenu>
      {hint}
    </>
  )
}

export const ColumnsMenu = memo(ColumnsMenuShown)
