import { useLocalStorage } from '@mantine/hooks'

export const columns = [
  'status',
  'release',
  'length',
  'size',
  'created',
  'updated',
  'categories',
  'tags',
  'resolution',
  'id',
] as const
export type Column = (typeof columns)[number]

const shownAtFirst: readonly Column[] = ['status', 'release', 'length', 'size', 'created']

export const columnOrders: Readonly<Partial<Record<Column | 'file', string>>> = {
  file: 'title',
  length: 'length',
  size: 'size',
  created: 'created',
  updated: 'updated',
}

/** The visible columns in order, stored in this browser. */
export const useColumns = (): [readonly Column[], (shown: readonly string[]) => void] => {
  const [kept, keep] = useLocalStorage<readonly string[]>({
    key: 'zoetrope-library-columns',
    defaultValue: [...shownAtFirst],
    getInitialValueInEffect: false,
  })
  return [columns.filter((column) => kept.includes(column)), keep]
}

export type View = 'list' | 'grid'

/** Cards where a table would scroll sideways. */
export const useView = (): [View, (view: View) => void] => {
  const [view, setView] = useLocalStorage<View>({
    key: 'zoetrope-library-view',
    defaultValue: matchMedia('(min-width: 48em)').matches ? 'list' : 'grid',
    getInitialValueInEffect: false,
  })
  return [view, setView]
}
