import type { Noun } from '../command.ts'
import { operationCommand } from '../operations/operation-command.ts'

const columns = ['Id', 'Label', 'CustomId', 'CreatedAt'] as const

export const categories: Noun = {
  summary: 'What files are about',
  verbs: {
    list: operationCommand('listCategories', { columns }),
    create: operationCommand('createCategory'),
    get: operationCommand('getCategory'),
    update: operationCommand('updateCategory'),
    delete: operationCommand('deleteCategory', { destroys: 'delete category' }),
  },
}

export const videotypes: Noun = {
  summary: 'What kind of video a file is',
  verbs: {
    list: operationCommand('listVideotypes', { columns }),
    create: operationCommand('createVideotype'),
    get: operationCommand('getVideotype'),
    update: operationCommand('updateVideotype'),
    delete: operationCommand('deleteVideotype', { destroys: 'delete video type' }),
  },
}

export const shares: Noun = {
  summary: 'With whom files are shared',
  verbs: {
    list: operationCommand('listShares', { columns }),
    create: operationCommand('createShare'),
    get: operationCommand('getShare'),
    update: operationCommand('updateShare'),
    delete: operationCommand('deleteShare', { destroys: 'delete share' }),
  },
}

export const iabcategories: Noun = {
  summary: 'The content categories of the IAB, which are given',
  verbs: {
    list: operationCommand('listIabCategories', { columns: ['Id', 'IABId', 'Label', 'ParentId'] }),
  },
}
