import type { Project } from '@zoetrope/sdk'
import { fieldErrors } from '../../ui/forms/field-errors.ts'
import type { Edits, Fields } from '../../ui/forms/record/record-edits.ts'
import { customField, otherFields, parseOthers } from './metadata-edits.ts'

export type IssueKey = 'required' | 'windowOrder' | 'noJson' | 'noWhole'

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

const isNotAfter = (a: unknown, b: unknown): boolean =>
  typeof a === 'string' && typeof b === 'string' && Date.parse(a) <= Date.parse(b)

export const issuesOf = (
  fields: Fields,
  edits: Edits,
  metadataFields: Project['MetadataFields'],
): Readonly<Record<string, IssueKey>> => {
  const valueOf = (name: string): unknown => (name in edits ? edits[name]?.value : fields[name])
  const issues: Record<string, IssueKey> = {}
  const isCustomEdited = Object.keys(edits).some((name) => name.includes('CustomMetadata'))
  for (const { Name, IsRequired, Type, Default } of metadataFields) {
    const name = customField(Name)
    const value = valueOf(name)
    // Required custom fields apply only when custom fields are edited.
    if (isCustomEdited && IsRequired === true && Default == null && isEmpty(value)) issues[name] = 'required'
    else if (Type === 'integer' && typeof value === 'number' && !Number.isSafeInteger(value))
      issues[name] = 'noWhole'
  }
  if (isNotAfter(valueOf('IsPublicUntil'), valueOf('IsPublicAt'))) issues['IsPublicUntil'] = 'windowOrder'
  if (parseOthers(valueOf(otherFields)) === null) issues[otherFields] = 'noJson'
  return issues
}

export const serverIssues = (error: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(fieldErrors(error)).map(([field, issue]) => [
      // For lists, the server names the item.
      field.replace(/^Metadata\./, '').replace(/^(?!CustomMetadata)(\w+)[.[].*$/, '$1'),
      issue,
    ]),
  )
