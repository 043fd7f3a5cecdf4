import { Button, Group, Text } from '@mantine/core'
import { createContext, useContext, type ReactNode } from 'react'
import { defineWords } from '../../shell/words.ts'
import type { MetadataForm } from './use-metadata-form.ts'

const useWords = defineWords('file-fields', {
  en: {
    changed: 'Somebody else has changed this to: {{value}}',
    empty: '(empty)',
    theirs: 'Take theirs',
    mine: 'Keep mine',
    required: 'This project requires a value here.',
    windowOrder: 'The end must come after the beginning.',
    noJson: 'This is no JSON object such as {"desk": "News"}.',
    noWhole: 'This must be a whole number.',
  },
  de: {
    changed: 'Jemand anderes hat das geändert in: {{value}}',
    empty: '(leer)',
    theirs: 'Übernehmen',
    mine: 'Meines behalten',
    required: 'Dieses Projekt verlangt hier einen Wert.',
    windowOrder: 'Das Ende muss nach dem Anfang liegen.',
    noJson: 'Das ist kein JSON-Objekt wie {"desk": "News"}.',
    noWhole: 'Das muss eine ganze Zahl sein.',
  },
})

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
  const t = useWords()
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
  const t = useWords()
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
