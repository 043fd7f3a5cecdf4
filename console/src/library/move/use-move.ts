import type { MediaFile, Project } from '@zoetrope/sdk'
import { useTexts } from '../../shell/texts.ts'
import { moveToProject } from '../bulk/bulk-acts.ts'
import { useBulk, type Bulk } from '../bulk/use-bulk.tsx'

export type FilesToMove = Pick<Bulk, 'projectId' | 'files' | 'total'>

export const oneFile = (file: MediaFile): FilesToMove => ({
  projectId: file.ProjectId,
  files: [file],
  total: 1,
})

/** Returns a function that moves files to another project, with progress, result and undo. */
export const useMove = (): ((what: FilesToMove, target: Project) => Promise<void>) => {
  const t = useTexts('library.move')
  const bulk = useBulk()
  return (what, { Id, Name }) =>
    bulk({
      ...what,
      targetId: Id,
      act: moveToProject(Id),
      doing: t('moving'),
      said: (count) => t('moved', { count, name: Name }),
    })
}
