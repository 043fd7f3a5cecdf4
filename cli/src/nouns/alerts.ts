import type { Noun } from '../command.ts'
import { operationCommand } from '../operations/operation-command.ts'

export const alerts: Noun = {
  summary: 'Rules on the analytics of the last minutes',
  verbs: {
    list: operationCommand('listAlerts', {
      columns: ['Id', 'Label', 'Metric', 'Operator', 'Threshold', 'WindowMinutes', 'State', 'IsEnabled'],
    }),
    create: operationCommand('createAlert'),
    get: operationCommand('getAlert'),
    update: operationCommand('updateAlert'),
    delete: operationCommand('deleteAlert', { destroys: 'delete alert' }),
  },
}
