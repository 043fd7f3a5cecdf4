/**
 * All audited actions, as `subject.verb`. Failed actions change nothing and are not logged, except
 * refused sign-ins.
 */
export const auditActions = [
  'account.created',
  'account.disabled',
  'account.enabled',
  'account.updated',
  'alert.created',
  'alert.updated',
  'alert.deleted',
  'apikey.created',
  'apikey.policy-updated',
  'apikey.updated',
  'apikey.rotated',
  'apikey.revoked',
  'category.created',
  'category.updated',
  'category.deleted',
  'factor.added',
  'factor.updated',
  'factor.removed',
  'factor.reset',
  'factor.codes-created',
  'invitation.created',
  'invitation.accepted',
  'invitation.revoked',
  'live.updated',
  'live.key-reset',
  'live.stopped',
  'live.target-created',
  'live.target-updated',
  'live.target-deleted',
  'logo.updated',
  'logo.deleted',
  'partner.connected',
  'partner.updated',
  'partner.tested',
  'partner.disconnected',
  'partner.broken',
  'partner.keys-rotated',
  'password.changed',
  'password.link-created',
  'project.created',
  'project.updated',
  'project.deleted',
  'project.restored',
  'session.started',
  'session.refused',
  'session.ended',
  'session.confirmed',
  'share.created',
  'share.updated',
  'share.deleted',
  'user.created',
  'user.updated',
  'user.deleted',
  'videotype.created',
  'videotype.updated',
  'videotype.deleted',
  'watermark.updated',
  'watermark.deleted',
  'webhook.created',
  'webhook.updated',
  'webhook.deleted',
  'webhook.disabled',
  'webhook.secret-rotated',
  'webhook.tested',
  'webhook.replayed',
  'webhook.redelivered',
] as const

export type AuditAction = (typeof auditActions)[number]

/**
 * Returns the actions that a filter selects: names and families such as `user.*`. Returns null when one of
 * them is unknown.
 */
export const actionsMatching = (wanted: readonly string[]): readonly AuditAction[] | null => {
  const meant = wanted.map((one) =>
    auditActions.filter((action) => action === one || `${action.split('.')[0]}.*` === one || one === '*'),
  )
  return meant.some((actions) => actions.length === 0) ? null : [...new Set(meant.flat())]
}
