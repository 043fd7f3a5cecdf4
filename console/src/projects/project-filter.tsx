import { useTexts } from '../shell/texts.ts'
import { FilterSelect } from '../ui/lists/filter-select.tsx'
import { useProjectChoices } from './all-projects.ts'

/** Filters the screen by a project. `name` is the parameter of the URL. */
export const ProjectFilter = ({ name = 'project' }: { readonly name?: string }) => {
  const t = useTexts('projects.filter')
  return (
    <FilterSelect
      name={name}
      aria-label={t('project')}
      placeholder={t('allProjects')}
      searchable
      w={220}
      data={useProjectChoices()}
    />
  )
}
