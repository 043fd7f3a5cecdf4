import { useQuery } from '@tanstack/react-query'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useTexts } from '../../shell/texts.ts'
import { fileStates } from '../file-status.tsx'
import type { FilterName } from '../library-query.ts'

const releaseStatuses = ['draft', 'unpublished', 'published'] as const

export const useCategories = () =>
  useQuery({
    queryKey: [...queryKeys.catalog, 'categories', 'choices'],
    queryFn: async ({ signal }) =>
      (await zoetrope.categories.list({ limit: 500, orderBy: 'label', sort: 'asc' }, { signal })).Categories,
  })

const useVideotypes = () =>
  useQuery({
    queryKey: [...queryKeys.catalog, 'videotypes', 'choices'],
    queryFn: async ({ signal }) =>
      (await zoetrope.videotypes.list({ limit: 500, orderBy: 'label', sort: 'asc' }, { signal })).Videotypes,
  })

interface Choice {
  readonly value: string
  readonly label: string
}

const choicesOf = (records: readonly { readonly Id: number; readonly Label: string }[] = []): Choice[] =>
  records.map(({ Id, Label }) => ({ value: String(Id), label: Label }))

/** `several` values, `one` of two, free `tags`, or a range of days. */
export interface FilterField {
  readonly id: string
  readonly kind: 'several' | 'one' | 'tags' | 'days'
  /** A range of days has two names. */
  readonly names: readonly FilterName[]
  readonly label: string
  readonly choices: readonly Choice[]
}

/** What files can be filtered by, the most frequent first. */
export const useFilterFields = (): readonly FilterField[] => {
  const t = useTexts('library.screen')
  const status = useTexts('library.fileStatus')
  const released = useTexts('ui.releaseStatus')
  const categories = useCategories()
  const videotypes = useVideotypes()
  const several = (name: FilterName, label: string, choices: readonly Choice[]): FilterField => ({
    ...{ id: name, kind: 'several', names: [name], label, choices },
  })
  const one = (name: FilterName, label: string, yes: string, no: string): FilterField => ({
    ...{ id: name, kind: 'one', names: [name], label },
    choices: [
      { value: 'true', label: yes },
      { value: 'false', label: no },
    ],
  })
  return [
    several(
      'status',
      t('status'),
      fileStates.map((value) => ({ value, label: status(value) })),
    ),
    several(
      'releaseStatus',
      t('release'),
      releaseStatuses.map((value) => ({ value, label: released(value) })),
    ),
    several('categoryId', t('categories'), choicesOf(categories.data)),
    several('videotypeId', t('videotypes'), choicesOf(videotypes.data)),
    { id: 'tag', kind: 'tags', names: ['tag'], label: t('tags'), choices: [] },
    { id: 'created', kind: 'days', names: ['createdFrom', 'createdTo'], label: t('created'), choices: [] },
    { id: 'updated', kind: 'days', names: ['updatedFrom', 'updatedTo'], label: t('updated'), choices: [] },
    one('hasErrors', t('errors'), t('withErrors'), t('withoutErrors')),
    one('isFinished', t('processing'), t('isOver'), t('isNotOver')),
    one('isEncoded', t('renditions'), t('areAllMade'), t('areNotAllMade')),
    one('useEncoding', t('encoding'), t('isTranscoded'), t('isAsItIs')),
  ]
}
