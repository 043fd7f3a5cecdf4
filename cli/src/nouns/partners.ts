import type { Noun } from '../command.ts'
import { operationCommand } from '../operations/operation-command.ts'

export const partners: Noun = {
  summary: 'The identity provider for sign-in and signed deliveries',
  verbs: {
    get: operationCommand('getPartners'),
    'identity-provider': operationCommand('getIdentityProvider'),
    'check-issuer': operationCommand('checkIssuer'),
    connect: operationCommand('connectIdentityProvider', { summary: 'Connect an identity provider' }),
    test: operationCommand('testIdentityProvider'),
    disconnect: operationCommand('disconnectIdentityProvider', {
      destroys: 'disconnect the identity provider',
    }),
    'rotate-signing-keys': operationCommand('rotateSigningKeys', { destroys: 'replace the signing keys' }),
    'client-key': operationCommand('createClientKey', {
      summary: 'Create the key with which Zoetrope authenticates at the identity provider',
      destroys: 'replace the client key',
    }),
  },
}
