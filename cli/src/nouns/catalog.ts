import type { Noun } from '../command.ts'
import { operationCommand } from '../operations/operation-command.ts'

const columns = ['Id', 'Label', 'CustomId', 'CreatedAt'] as const

export const categories: Noun = {
  summary: 'Categories: the topics of files',
  verbs: {
    list: operationCommand('listCategories', { columns }),
    create: operationCommand('createCategory'),
    get: operationCommand('getCategory'),
    update: operationCommand('updateCategory'),
    delete: operationCommand('deleteCategory', { destroys: 'delete category' }),
  },
}

export const videotypes: Noun = {
  summary: 'Video types, such as trailer or episode',
  verbs: {
    list: operationCommand('listVideotypes', { columns }),
    create: operationCommand('createVideotype'),
    get: operationCommand('getVideotype'),
    update: operationCommand('updateVideotype'),
    delete: operationCommand('deleteVideotype', { destroys: 'delete video type' }),
  },
}

export const shares: Noun = {
  summary: 'Destinations for files, such as partners or channels',
  verbs: {
    list: operationCommand('listShares', { columns }),
    create: operationCommand('createShare'),
    get: operationCommand('getShare'),
    update: operationCommand('updateShare'),
    delete: operationCommand('deleteShare', { destroys: 'delete share' }),
  },
}

export const iabcategories: Noun = {
  summary: 'Content categories of the IAB (read-only)',
  verbs: {
    list: operationCommand('listIabCategories', { columns: ['Id', 'IABId', 'Label', 'ParentId'] }),
  },
}
