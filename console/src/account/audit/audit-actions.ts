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

/** `User` → "User", `ApiKey` → "API key". */
export const subjectText = (subject: string): string =>
  textOfCode('account.auditSubjects', subject.toLowerCase()) ?? subject

export const recordText = ({
  Subject,
  SubjectId,
}: {
  readonly Subject: string
  readonly SubjectId: string
}): string => `${subjectText(Subject)} ${SubjectId}`.trim()

/** `user.updated` → "User: changed". Unknown actions of later versions are shown by name. */
export const actionText = (action: string): string => {
  const [subject = '', verb = ''] = action.split('.')
  return `${textOfCode('account.auditSubjects', subject) ?? subject}: ${textOfCode('account.auditActions', verb) ?? verb}`
}
