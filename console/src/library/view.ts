import { useLocalStorage } from '@mantine/hooks'

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
