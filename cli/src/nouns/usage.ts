import type { Noun } from '../command.ts'
import { operationCommand } from '../operations/operation-command.ts'

export const usage: Noun = {
  summary: 'Storage usage and the encode queue',
  verbs: {
    get: operationCommand('getUsage'),
    projects: operationCommand('listProjectUsage', {
      columns: ['ProjectId', 'Name', 'FileCount', 'StorageBytes', 'StorageQuotaBytes'],
    }),
    catalog: operationCommand('listCatalogUsage', { columns: ['Id', 'Kind', 'Label', 'FileCount'] }),
    queue: operationCommand('listEncodings', {
      columns: [
        'FileId',
        'Title',
        'State',
        'Step',
        'EncodingProgress',
        'EncodingPriority',
        'EstimatedReadyAt',
      ],
    }),
  },
}
