import type { TSchema } from 'typebox'
import { auditEntrySchema } from '../audit/audit-record.ts'
import { apiKeySchema, newApiKeySchema } from './store/api-key-record.ts'
import { invitationSchema, newInvitationSchema } from './invitations/invitation-record.ts'
import { keyPolicySchema } from './keys/key-policy-routes.ts'
import { meSchema } from './users/me-record.ts'
import { sessionSchema, signedInSchema } from './sessions/session-record.ts'
import { userSchema } from './store/user-record.ts'

export const identitySchemas: Readonly<Record<string, TSchema>> = {
  User: userSchema,
  ApiKey: apiKeySchema,
  NewApiKey: newApiKeySchema,
  ApiKeyPolicy: keyPolicySchema,
  Me: meSchema,
  Session: sessionSchema,
  SignedIn: signedInSchema,
  Invitation: invitationSchema,
  NewInvitation: newInvitationSchema,
  AuditEntry: auditEntrySchema,
}
