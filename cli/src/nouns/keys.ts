import type { Noun } from '../command.ts'
import { operationCommand } from '../operations/operation-command.ts'

const flags = { ProjectIds: 'projects', ExpiresAt: 'expires' } as const
const note = 'Store the token now: it is not shown again.'

export const keys: Noun = {
  summary: 'API keys for back ends',
  verbs: {
    list: operationCommand('listApiKeys', {
      columns: ['Id', 'Label', 'Scopes', 'ProjectIds', 'LastFour', 'LastUsedAt', 'ExpiresAt', 'RevokedAt'],
    }),
    create: operationCommand('createApiKey', {
      summary: 'Create an API key and show its token once',
      details: '  ./zoetrope keys create --label CI --scopes files:read,files:write --projects 2,3',
      flags,
      note,
    }),
    get: operationCommand('getApiKey'),
    update: operationCommand('updateApiKey', { flags }),
    rotate: operationCommand('rotateApiKey', {
      summary: 'Create a key that replaces another, and show its token once',
      flags,
      note,
    }),
    revoke: operationCommand('revokeApiKey', {
      summary: 'Revoke an API key at once',
      destroys: 'revoke key',
    }),
  },
}
