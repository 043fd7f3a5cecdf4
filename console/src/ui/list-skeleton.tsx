import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'
import { useEffect, useState } from 'react'
import { defineWords } from '../shell/words.ts'

const useWords = defineWords('list-skeleton', {
  en: { loading: 'Loading …' },
  de: { loading: 'Wird geladen …' },
})

/** Below this an answer seems immediate, and a flash of grey would only disturb. */
const delayMs = 150

/** Rows in place of a list that is being loaded for the first time. */
export const ListSkeleton = ({
  rows = 6,
  rowHeight = 40,
}: {
  readonly rows?: number
  readonly rowHeight?: number
}) => {
  const t = useWords()
  const [isShown, setIsShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsShown(true), delayMs)
    return () => clearTimeout(timer)
  }, [])
  if (!isShown) return null
  return (
    <Stack gap="sm">
      <VisuallyHidden role="status">{t('loading')}</VisuallyHidden>
      {Array.from({ length: rows }, (_, place) => (
        <Skeleton key={place} height={rowHeight} radius="sm" aria-hidden />
      ))}
    </Stack>
  )
}
