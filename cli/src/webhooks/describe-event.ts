import type { WebhookEvent } from '@zoetrope/sdk'

const subjectOf = (event: WebhookEvent): string => {
  if (event.File !== undefined) return `file ${event.File.Id}`
  const other = (['Playlist', 'Webhook'] as const).find((name) => event[name] !== undefined)
  return other === undefined ? '' : `${other.toLowerCase()} ${String(event[other]?.Id)}`
}

export const describeEvent = (event: WebhookEvent): string => {
  const time = event.OccurredAt.slice(11, 19)
  const project = event.ProjectId === null ? '' : `project ${event.ProjectId}`
  const about = [project, subjectOf(event)].filter((part) => part !== '').join(', ')
  return `${time}  #${String(event.EventId).padEnd(5)} ${event.Event.padEnd(15)} ${about}`.trimEnd()
}
