import './drop-zone.css'
import { Text, Title } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTexts } from '../shell/texts.ts'
import { droppedFiles } from './dropped-files.ts'

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true

export const DropZone = ({
  projectName,
  onFiles,
}: {
  readonly projectName: string
  readonly onFiles: (files: readonly File[]) => void
}) => {
  const t = useTexts('uploads.dropZone')
  const [isOver, setIsOver] = useState(false)
  useEffect(() => {
    // The browser fires `dragenter` for an inner element before `dragleave` for the outer one.
    let depth = 0
    const enter = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      depth += 1
      setIsOver(true)
    }
    const leave = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      depth = Math.max(0, depth - 1)
      if (depth === 0) setIsOver(false)
    }
    const drop = (event: DragEvent): void => {
      depth = 0
      setIsOver(false)
      if (!hasFiles(event) || event.dataTransfer === null) return
      event.preventDefault()
      void droppedFiles(event.dataTransfer).then(onFiles)
    }
    addEventListener('dragenter', enter)
    addEventListener('dragleave', leave)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragenter', enter)
      removeEventListener('dragleave', leave)
      removeEventListener('drop', drop)
    }
  }, [onFiles])
  if (!isOver) return null
  return (
    <div className="drop-zone" aria-hidden>
      <IconUpload size={64} />
      <Title order={2}>{t('drop')}</Title>
      <Text>{t('where', { name: projectName })}</Text>
    </div>
  )
}
