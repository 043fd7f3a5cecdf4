import { textOfCode } from '../../shell/texts.ts'

export const auditSubjects = [
  'account',
  'apikey',
  'category',
  'factor',
  'invitation',
  'live',
  'logo',
  'partner',
  'password',
  'project',
  'session',
  'share',
  'user',
  'videotype',
  'watermark',
  'webhook',
] as const

/** `user.updated` → "User: changed". Unknown actions of later versions are shown by name. */
export const actionText = (action: string): string => {
  const [subject = '', verb = ''] = action.split('.')
  return `${textOfCode('account.auditSubjects', subject) ?? subject}: ${textOfCode('account.auditActions', verb) ?? verb}`
}
