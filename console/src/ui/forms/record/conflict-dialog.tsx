import { Button, Group, Modal, Radio, SimpleGrid, Stack, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTexts } from '../../../shell/texts.ts'
import type { Choice, RecordEdits } from './use-record-edits.ts'
import './conflict-dialog.css'

export interface FieldNames {
  /** The label of a field, as its form shows it. */
  readonly labelOf: (name: string) => string
  /** The value of a field, which is not empty. */
  readonly renderValue: (name: string, value: unknown) => ReactNode
}

/** What the dialog needs of a form. */
export type ConflictForm = Pick<
  RecordEdits,
  'isResolving' | 'askToResolve' | 'conflicts' | 'edits' | 'fields' | 'resolve'
>

const sides = ['mine', 'theirs'] as const

const isEmpty = (value: unknown): boolean =>
  value == null || value === '' || (Array.isArray(value) && value.length === 0)

/** Shows each field that this user and another one changed to different values, and asks which to keep. */
export const ConflictDialog = ({ form, ...names }: FieldNames & { readonly form: ConflictForm }) => {
  const t = useTexts('ui.conflict')
  return (
    <Modal
      opened={form.isResolving}
      onClose={() => form.askToResolve(false)}
      title={t('title')}
      size="lg"
      transitionProps={{ duration: 0 }}
    >
      <Choices key={form.conflicts.join()} form={form} {...names} />
    </Modal>
  )
}

/** Says that there are conflicts, until they are resolved. */
export const ConflictNotice = ({ form }: { readonly form: ConflictForm }) => {
  const t = useTexts('ui.saveBar')
  const { conflicts } = form
  if (conflicts.length === 0) return null
  return (
    <Group gap="xs" role="alert">
      <Text size="sm">{t('conflict', { count: conflicts.length })}</Text>
      <Button size="xs" variant="default" onClick={() => form.askToResolve(true)}>
        {t('compare')}
      </Button>
    </Group>
  )
}

const Choices = ({ form, labelOf, renderValue }: FieldNames & { readonly form: ConflictForm }) => {
  const t = useTexts('ui.conflict')
  const [choices, setChoices] = useState<Readonly<Record<string, Choice>>>({})
  const { conflicts } = form
  const chooseAll = (choice: Choice): void =>
    setChoices(Object.fromEntries(conflicts.map((name) => [name, choice])))
  const valueOf = (name: string, side: Choice): unknown =>
    side === 'mine' ? form.edits[name]?.value : form.fields[name]
  return (
    <Stack>
      <Text size="sm">{t('explained', { count: conflicts.length })}</Text>
      {conflicts.length > 1 && (
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => chooseAll('mine')}>
            {t('allMine')}
          </Button>
          <Button size="xs" variant="default" onClick={() => chooseAll('theirs')}>
            {t('allTheirs')}
          </Button>
        </Group>
      )}
      {conflicts.map((name) => (
        <Radio.Group
          key={name}
          label={labelOf(name)}
          value={choices[name] ?? null}
          onChange={(side) => setChoices({ ...choices, [name]: side === 'mine' ? 'mine' : 'theirs' })}
        >
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" mt={4}>
            {sides.map((side) => (
              <Radio.Card key={side} value={side} className="conflict-side">
                <Group wrap="nowrap" align="flex-start" gap="sm">
                  <Radio.Indicator />
                  <div className="conflict-value">
                    <Text size="xs" c="dimmed">
                      {t(side)}
                    </Text>
                    <Text size="sm">
                      {isEmpty(valueOf(name, side)) ? t('empty') : renderValue(name, valueOf(name, side))}
                    </Text>
                  </div>
                </Group>
              </Radio.Card>
            ))}
          </SimpleGrid>
        </Radio.Group>
      ))}
      <Group justify="flex-end" className="dialog-actions">
        <Button variant="default" onClick={() => form.askToResolve(false)}>
          {t('later')}
        </Button>
        <Button
          disabled={conflicts.some((name) => choices[name] === undefined)}
          onClick={() => form.resolve(choices)}
        >
          {t('save')}
        </Button>
      </Group>
    </Stack>
  )
}
