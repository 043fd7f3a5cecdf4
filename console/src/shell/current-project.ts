import { useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useQuery } from '@tanstack/react-query'
import { allProjects } from '../projects/all-projects.ts'
import { browserStorage } from './storage.ts'

const storageKey = 'zoetrope-project'

/** Project of the URL, else the last visited or the first project. Null = none. */
export const useCurrentProjectId = (): number | null => {
  const { data: projects = [] } = useQuery(allProjects)
  // Not the whole path: the navigation would render again on each way between screens of a project.
  const inAddress = useRouterState({
    select: ({ location }) => /\/projects\/(\d+)/.exec(location.pathname)?.[1],
  })
  useEffect(() => {
    if (inAddress !== undefined) browserStorage.write(storageKey, inAddress)
  }, [inAddress])
  if (inAddress !== undefined) return Number(inAddress)
  const kept = Number(browserStorage.read(storageKey))
  return (projects.find(({ Id }) => Id === kept) ?? projects[0])?.Id ?? null
}
