import type { MediaFile } from '@zoetrope/sdk'
import { useRef, useState } from 'react'

export interface Selection {
  readonly files: ReadonlyMap<number, MediaFile>
  readonly isAll: boolean
  readonly has: (file: MediaFile) => boolean
  /** With shift: selects all files from the last selected one to this one. */
  readonly toggle: (file: MediaFile, withShift: boolean) => void
  readonly setPage: (isChosen: boolean) => void
  readonly chooseAll: () => void
  readonly clear: () => void
  /** For a file that leaves the list. */
  readonly remove: (file: MediaFile) => void
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

  // The list may have been refreshed since the user selected a file.
  const present = new Map(shown.map((file) => [file.Id, file]))
  return {
    files: new Map([...files].map(([id, file]) => [id, present.get(id) ?? file])),
    isAll,
    has: ({ Id }) => isAll || files.has(Id),
    toggle: (file, withShift) => {
      if (isAll) {
        // Selects the visible files except this one: files on other pages cannot stay selected individually.
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
    remove: ({ Id }) => setFiles((now) => new Map([...now].filter(([id]) => id !== Id))),
  }
}
