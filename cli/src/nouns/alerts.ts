import type { Noun } from '../command.ts'
import { operationCommand } from '../operations/operation-command.ts'

export const alerts: Noun = {
  summary: 'Alerts: rules that check the analytics of the last minutes',
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
