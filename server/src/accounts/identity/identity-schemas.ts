import type { TSchema } from 'typebox'
import { auditEntrySchema } from '../audit/audit-record.ts'
import { factorsSchema, passkeySchema } from './factors/factor-record.ts'
import { signInPolicySchema } from './factors/sign-in-policy-routes.ts'
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
  Passkey: passkeySchema,
  SignInFactors: factorsSchema,
  SignInPolicy: signInPolicySchema,
  SignedIn: signedInSchema,
  Invitation: invitationSchema,
  NewInvitation: newInvitationSchema,
  AuditEntry: auditEntrySchema,
}
