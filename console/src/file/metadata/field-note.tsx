import { Button, Group, Text } from '@mantine/core'
import { createContext, useContext, type ReactNode } from 'react'
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

/** Shows a conflicting change below its field, and lets the user choose a version. */
export const FieldNote = ({
  name,
  describe = String,
  children,
}: {
  readonly name: string
  readonly describe?: (value: unknown) => string
  readonly children: ReactNode
}) => {
  const t = useTexts('file.fields')
  const { form } = useMetadata()
  const isInConflict = form.conflicts.includes(name)
  const theirs = form.theirs[name]
  const isEmpty = theirs == null || theirs === '' || (Array.isArray(theirs) && theirs.length === 0)
  return (
    <div>
      {children}
      {isInConflict && (
        <Group gap="xs" mt={4} role="alert">
          <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
            {t('changed', { value: isEmpty ? t('empty') : describe(theirs).slice(0, 500) })}
          </Text>
          <Button size="compact-xs" variant="default" onClick={() => form.takeTheirs([name])}>
            {t('theirs')}
          </Button>
          <Button size="compact-xs" variant="default" onClick={() => form.keepMine([name])}>
            {t('mine')}
          </Button>
        </Group>
      )}
    </div>
  )
}
