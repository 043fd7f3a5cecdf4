import { useQueries } from '@tanstack/react-query'
import { useEffect, useState, type RefObject } from 'react'
import { fileQuery } from '../file/file-query.ts'
import type { Upload } from './upload-list.ts'

/** How long the list stays after its last file plays, so that the user sees the result. */
const foldAfterMs = 5_000

const troubles: readonly string[] = ['failed', 'degraded']

/** Whether each upload is complete and its file plays without errors. */
const useHasArrived = (uploads: readonly Upload[]): boolean => {
  const records = useQueries({
    queries: uploads.map(({ projectId, fileId }) => ({
      ...fileQuery(projectId, fileId ?? 0),
      enabled: fileId !== null,
    })),
  })
  return (
    uploads.length > 0 &&
    uploads.every(({ state }) => state === 'done') &&
    records.every(({ data }) => data?.IsPlayable === true && !troubles.includes(data.Status))
  )
}

/** The list folds when it has nothing left to tell, and unfolds for new uploads, until the user folds or unfolds it. */
export const useFolding = (uploads: readonly Upload[], panel: RefObject<HTMLElement | null>) => {
  const [isWide] = useState(() => matchMedia('(min-width: 48em)').matches)
  const [isFolded, setIsFolded] = useState(false)
  const [chosen, setChosen] = useState<boolean | null>(null)
  const hasArrived = useHasArrived(uploads)
  useEffect(() => {
    if (!hasArrived) return undefined
    const timer = setInterval(() => {
      // A user who reads or operates the list keeps it.
      if (panel.current?.matches(':hover, :focus-within') !== true) setIsFolded(true)
    }, foldAfterMs)
    return () => {
      clearInterval(timer)
      setIsFolded(false)
    }
  }, [hasArrived, panel])
  return { isOpen: chosen ?? (isWide && !isFolded), setIsOpen: setChosen }
}
