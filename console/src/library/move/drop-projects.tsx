import './move.css'
import { Text } from '@mantine/core'
import { IconFolder } from '@tabler/icons-react'
import { useEffect, useState, type DragEvent } from 'react'
import { useTexts } from '../../shell/texts.ts'
import { setFileDrag, useFileDrag, type FileDrag } from './file-drag.ts'
import { useMoveTargets } from './move-targets.ts'

/**
 * Covers the navigation with the projects while files are dragged. Hidden from screen readers: menus offer
 * the same in a dialog.
 */
export const DropProjects = () => {
  const drag = useFileDrag()
  return drag === null ? null : <Targets drag={drag} />
}

const Targets = ({ drag }: { readonly drag: FileDrag }) => {
  const t = useTexts('library.move')
  const targets = useMoveTargets(drag.projectId)
  const [overId, setOverId] = useState<number | null>(null)
  useEffect(() => {
    // A row that the list has removed meanwhile gets no `dragend`. Browsers send no pointer events during a drag.
    const end = (): void => setFileDrag(null)
    addEventListener('pointermove', end)
    return () => removeEventListener('pointermove', end)
  }, [])
  const allow = (event: DragEvent, id: number): void => {
    event.preventDefault()
    event.dataTransfer.dropEffect = 'move'
    setOverId(id)
  }
  return (
    <div className="move-targets" aria-hidden>
      <Text size="xs" fw={550} c="dimmed" px="xs" py={6}>
        {t('dropOn', { count: drag.count })}
      </Text>
      {targets.length === 0 && (
        <Text size="sm" px="xs">
          {t('none')}
        </Text>
      )}
      {targets.map((target) => (
        <div
          key={target.Id}
          className="move-target"
          data-over={overId === target.Id}
          onDragEnter={(event) => allow(event, target.Id)}
          onDragOver={(event) => allow(event, target.Id)}
          // The pointer enters the next target before it leaves this one.
          onDragLeave={() => setOverId((id) => (id === target.Id ? null : id))}
          onDrop={(event) => {
            event.preventDefault()
            setFileDrag(null)
            drag.onDrop(target)
          }}
        >
          <IconFolder size={17} stroke={1.75} />
          <span className="move-target-name">{target.Name}</span>
        </div>
      ))}
    </div>
  )
}
