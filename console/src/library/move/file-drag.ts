import type { Project } from '@zoetrope/sdk'
import { useSyncExternalStore, type DragEvent } from 'react'

/** Files on their way to another project. The navigation shows the projects while they are dragged. */
export interface FileDrag {
  readonly projectId: number
  readonly count: number
  readonly onDrop: (target: Project) => void
}

let drag: FileDrag | null = null
const listeners = new Set<() => void>()

export const setFileDrag = (next: FileDrag | null): void => {
  drag = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useFileDrag = (): FileDrag | null => useSyncExternalStore(subscribe, () => drag)

const pictureOf = (label: string): HTMLElement => {
  const picture = document.createElement('div')
  picture.className = 'move-drag'
  picture.textContent = label
  document.body.append(picture)
  return picture
}

/** Begins a drag, with a label at the pointer in place of the whole row. */
export const beginFileDrag = ({ dataTransfer }: DragEvent, label: string, next: FileDrag): void => {
  dataTransfer.clearData()
  dataTransfer.setData('text/plain', label)
  dataTransfer.effectAllowed = 'move'
  const picture = pictureOf(label)
  dataTransfer.setDragImage(picture, -12, 8)
  // The browser reads the picture after this event, and Chromium ends a drag when the page changes in it.
  setTimeout(() => {
    picture.remove()
    setFileDrag(next)
  })
}
