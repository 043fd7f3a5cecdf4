import { createContext, useContext } from 'react'
import { useTexts } from '../../shell/texts.ts'
import type { MetadataForm } from './use-metadata-form.ts'

interface FieldsContext {
  readonly form: MetadataForm
  readonly mayEdit: boolean
  readonly mayPublish: boolean
}

export const MetadataContext = createContext<FieldsContext | null>(null)

export const useMetadata = (): FieldsContext => {
  const context = useContext(MetadataContext)
  if (context === null) throw new Error('no form round this field')
  return context
}

export const useField = (name: string) => {
  const t = useTexts('file.fields')
  const { form, mayEdit } = useMetadata()
  const issue = form.issueOf(name)
  return {
    value: form.valueOf(name),
    set: (value: unknown) => form.set(name, value),
    error: issue === null ? form.serverIssueOf(name) : t(issue),
    disabled: !mayEdit,
  }
}
