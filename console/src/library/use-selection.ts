import type { MediaFile } from '@zoetrope/sdk'
import { useRef, useState } from 'react'

/** Files that were chosen, on whatever page, or all that match. */
export interface Selection {
  readonly files: ReadonlyMap<number, MediaFile>
  readonly isAll: boolean
  readonly has: (file: MediaFile) => boolean
  /** With shift: all from the one chosen before to this one. */
  readonly toggle: (file: MediaFile, withShift: boolean) => void
  readonly setPage: (isChosen: boolean) => void
  readonly chooseAll: () => void
  readonly clear: () => void
}

export const useSelection = (shown: readonly MediaFile[], filterKey: string): Selection => {
  const [files, setFiles] = useState<ReadonlyMap<number, MediaFile>>(new Map())
  const [isAll, setIsAll] = useState(false)
  const [key, setKey] = useState(filterKey)
  const lastId = useRef<number | null>(null)
  const clear = (): void => {
    setFiles(new Map())
    setIsAll(false)
  }
  // What another filter shows nobody has chosen.
  if (key !== filterKey) {
    setKey(filterKey)
    clear()
  }

  const choose = (some: readonly MediaFile[], isChosen: boolean): void => {
    const next = new Map(files)
    for (const file of some) {
      if (isChosen) next.set(file.Id, file)
      else next.delete(file.Id)
    }
    setFiles(next)
    setIsAll(false)
  }

  return {
    files,
    isAll,
    has: ({ Id }) => isAll || files.has(Id),
    toggle: (file, withShift) => {
      if (isAll) {
        // All but this one: those that nobody sees cannot stay chosen one by one.
        choose(
          shown.filter(({ Id }) => Id !== file.Id),
          true,
        )
        return
      }
      const isChosen = !files.has(file.Id)
      const at = shown.findIndex(({ Id }) => Id === file.Id)
      const from = shown.findIndex(({ Id }) => Id === lastId.current)
      lastId.current = file.Id
      const range =
        withShift && from !== -1 ? shown.slice(Math.min(at, from), Math.max(at, from) + 1) : [file]
      choose(range, isChosen)
    },
    setPage: (isChosen) => choose(shown, isChosen),
    chooseAll: () => setIsAll(true),
    clear,
  }
}
