import type { Project } from '@zoetrope/sdk'
import { useQuery } from '@tanstack/react-query'
import { allProjects } from '../../projects/all-projects.ts'
import { useCanIn } from '../../shell/session.ts'

/** Projects that files of this project can move to. */
export const useMoveTargets = (projectId: number): readonly Project[] => {
  const { data: projects = [] } = useQuery(allProjects)
  const canIn = useCanIn()
  return projects.filter(({ Id }) => Id !== projectId && canIn(Id, 'files:upload'))
}
