import type { CatalogKind } from '../../platform/db/tables/catalog.ts'

/** The differences between the three vocabularies, which are otherwise the same. */
export interface CatalogVocabulary {
  readonly kind: CatalogKind
  /** For sentences such as "Category 5 does not exist." */
  readonly singular: string
  readonly plural: string
  readonly path: string
  readonly idParameter: string
  /** Key of the list. The name of its operation derives from it. */
  readonly listKey: string
  /** Name of the schema of a record. The names of the operations on one record derive from it. */
  readonly recordName: string
  readonly meaning: string
  readonly exampleLabel: string
}

export const catalogVocabularies: readonly CatalogVocabulary[] = [
  {
    kind: 'category',
    singular: 'category',
    plural: 'categories',
    path: '/modules/categories',
    idParameter: 'categoryId',
    listKey: 'Categories',
    recordName: 'Category',
    meaning: 'A category: the subject of a file.',
    exampleLabel: 'Nature',
  },
  {
    kind: 'videotype',
    singular: 'video type',
    plural: 'video types',
    path: '/modules/videotypes',
    idParameter: 'videotypeId',
    listKey: 'Videotypes',
    recordName: 'Videotype',
    meaning: 'A video type, such as trailer, interview or episode.',
    exampleLabel: 'Trailer',
  },
  {
    kind: 'share',
    singular: 'share',
    plural: 'shares',
    path: '/modules/shares',
    idParameter: 'shareId',
    listKey: 'Shares',
    recordName: 'Share',
    meaning: 'A destination for files, such as a partner, a channel or a site.',
    exampleLabel: 'Partner sites',
  },
]
