import { queryOptions, useQuery } from '@tanstack/react-query'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'

/** For pickers. The projects screen uses pages instead. */
export const allProjects = queryOptions({
  queryKey: [...queryKeys.projects, 'all'],
  queryFn: async ({ signal }) => {
    const page = await zoetrope.projects.list({ limit: 500, orderBy: 'name', sort: 'asc' }, { signal })
    return page.Projects
  },
})

/** All projects, for a `Select`. */
export const useProjectChoices = (): { value: string; label: string }[] => {
  const { data: projects = [] } = useQuery(allProjects)
  return projects.map(({ Id, Name }) => ({ value: String(Id), label: Name }))
}
