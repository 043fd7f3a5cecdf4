import type { Noun } from '../command.ts'
import { operationCommand } from '../operations/operation-command.ts'

const flags = { ProjectIds: 'projects', ExpiresAt: 'expires', AllowedNetworks: 'networks' } as const
const note = 'Store the token now: it is not shown again.'

export const keys: Noun = {
  summary: 'API keys for back ends',
  verbs: {
    list: operationCommand('listApiKeys', {
      columns: [
        'Id',
        'Label',
        'Scopes',
        'ProjectIds',
        'LastFour',
        'LastUsedAt',
        'LastUsedAddress',
        'ExpiresAt',
        'RevokedAt',
      ],
    }),
    create: operationCommand('createApiKey', {
      summary: 'Create an API key and show its token once',
      details:
        '  ./zoetrope keys create --label CI --scopes files:read,files:write --projects 2,3\n  ./zoetrope keys create --label CI --expires 2099-01-01T00:00:00Z --networks 203.0.113.0/24',
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
    policy: operationCommand('getApiKeyPolicy', { summary: 'Show the policy for new keys' }),
    'set-policy': operationCommand('updateApiKeyPolicy', {
      summary: 'Limit the lifetime of new keys',
      details: '  ./zoetrope keys set-policy --max-days 90',
      flags: { MaxLifetimeDays: 'max-days' },
    }),
    revoke: operationCommand('revokeApiKey', {
      summary: 'Revoke an API key at once',
      destroys: 'revoke key',
    }),
  },
}
