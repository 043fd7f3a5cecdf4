import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTexts } from '../../shell/texts.ts'

/** A faster response seems immediate, and a brief placeholder would flicker. */
const delayMs = 150

export const ListSkeleton = ({
  rows = 6,
  rowHeight = 40,
}: {
  readonly rows?: number
  readonly rowHeight?: number
}) => {
  const t = useTexts('ui.listSkeleton')
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
