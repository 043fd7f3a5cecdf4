import {
  Button,
  Checkbox,
  ColorInput,
  Group,
  NumberInput,
  Paper,
  Switch,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { notifications } from '@mantine/notifications'
import type { Project } from '@zoetrope/sdk'
import type { ReactNode } from 'react'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { useSaveForm } from '../ui/forms/use-save-form.ts'
import { formatBytes } from '../ui/format.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { playerColors } from '../ui/embed/player-colors.ts'
import { ReleaseSelect } from '../ui/release-status.tsx'
import { Section } from '../ui/section.tsx'
import { FieldsEditor } from './fields-editor.tsx'
import { LadderEditor } from './ladder-editor.tsx'
import { LogoField } from './logo-field.tsx'
import { changesOf, formOf } from './settings-form.ts'

const codecs = [
  ['h264', 'H.264'],
  ['hevc', 'HEVC (H.265)'],
  ['av1', 'AV1'],
] as const

/** All settings in one form. Only changes are sent. */
export const ProjectSettingsForm = ({ project }: { readonly project: Project }) => {
  const t = useTexts('projects.settings')
  const queryClient = useQueryClient()
  const form = useSaveForm({
    initialValues: formOf(project),
    save: (values, { getInitialValues }) =>
      zoetrope.projects.update(project.Id, changesOf(getInitialValues(), values)),
    onSaved: (saved, { setInitialValues, reset }) => {
      setInitialValues(formOf(saved))
      reset()
      notifications.show({ message: t('saved') })
      return queryClient.invalidateQueries({ queryKey: queryKeys.projects })
    },
  })
  const { saving, problem, values, errors } = form
  const isChanged = Object.keys(changesOf(form.getInitialValues(), values)).length > 0
  /** The API also names nested fields: `AllowedDomains[1]`. */
  const errorOf = (name: string): ReactNode => {
    const found = Object.keys(errors).find(
      (field) => field === name || field.startsWith(`${name}.`) || field.startsWith(`${name}[`),
    )
    return found === undefined ? null : errors[found]
  }
  return (
    <form onSubmit={form.submit} className="project-settings">
      <Section title={t('general')}>
        <TextInput label={t('name')} required maxLength={255} {...form.getInputProps('Name')} />
        <Textarea
          label={t('description')}
          autosize
          minRows={2}
          maxRows={10}
          maxLength={10_000}
          {...form.getInputProps('Description')}
        />
        <ReleaseSelect
          label={t('releaseOfNew')}
          maw={320}
          {...form.getInputProps('DefaultReleaseStatus')}
          value={values.DefaultReleaseStatus}
        />
      </Section>
      <Section title={t('access')}>
        <Switch
          label={t('tokens')}
          description={t('tokensHelp')}
          {...form.getInputProps('TokenSecurity', { type: 'checkbox' })}
        />
        <TagsInput
          label={t('domains')}
          description={t('domainsHelp')}
          acceptValueOnBlur
          splitChars={[',', ' ', ';']}
          maxTags={100}
          {...form.getInputProps('AllowedDomains')}
          error={errorOf('AllowedDomains')}
        />
      </Section>
      <Section title={t('player')}>
        <ColorInput
          label={t('color')}
          description={t('colorHelp')}
          maw={320}
          format="hex"
          withEyeDropper={false}
          swatches={playerColors}
          {...form.getInputProps('playerColor')}
          error={errorOf('PlayerTheme')}
        />
        <LogoField project={project} color={values.playerColor} />
      </Section>
      <Section title={t('storage')}>
        <NumberInput
          label={t('quota')}
          description={t('quotaHelp', { used: formatBytes(project.StorageBytes) })}
          maw={320}
          min={0}
          max={9_000_000}
          decimalScale={3}
          {...form.getInputProps('quotaGigabytes')}
          error={errorOf('StorageQuotaBytes')}
        />
      </Section>
      <Section title={t('encoding')}>
        <Text size="sm" c="dimmed">
          {t('encodingHelp')}
        </Text>
        <Switch
          label={t('useEncoding')}
          description={t('useEncodingHelp')}
          {...form.getInputProps('UseEncoding', { type: 'checkbox' })}
        />
        <Checkbox.Group
          label={t('codecs')}
          description={t('codecsHelp')}
          value={values.codecs}
          error={errorOf('EncoderSettings.VideoCodecs')}
          onChange={(chosen) =>
            form.setFieldValue(
              'codecs',
              codecs.map(([codec]) => codec).filter((codec) => chosen.includes(codec)),
            )
          }
        >
          <Group mt="xs">
            {codecs.map(([value, label]) => (
              <Checkbox key={value} value={value} label={label} disabled={value === 'h264'} />
            ))}
          </Group>
        </Checkbox.Group>
        <LadderEditor
          rungs={values.rungs}
          onChange={(rungs) => form.setFieldValue('rungs', rungs)}
          error={errorOf('EncoderSettings.Renditions')}
        />
        <NumberInput
          label={t('priority')}
          description={t('priorityHelp')}
          maw={320}
          min={0}
          max={100}
          required
          allowDecimal={false}
          {...form.getInputProps('EncodingPriority')}
          error={errorOf('EncoderSettings.EncodingPriority')}
        />
        <Switch
          label={t('loudness')}
          description={t('loudnessHelp')}
          {...form.getInputProps('NormalizeLoudness', { type: 'checkbox' })}
        />
        <Switch
          label={t('keep')}
          description={t('keepHelp')}
          {...form.getInputProps('KeepOriginal', { type: 'checkbox' })}
        />
      </Section>
      <Section title={t('fields')}>
        <FieldsEditor
          fields={values.fields}
          onChange={(fields) => form.setFieldValue('fields', fields)}
          errorAt={(index) => errorOf(`MetadataFields[${index}]`)}
        />
      </Section>
      {(isChanged || saving.error !== null) && (
        <Paper withBorder shadow="md" p="sm" className="project-settings-save">
          <ProblemAlert error={problem} />
          <Group>
            <Button type="submit" loading={saving.isPending} disabled={!isChanged}>
              {t('save')}
            </Button>
            <Text size="sm">{t('changed')}</Text>
          </Group>
        </Paper>
      )}
    </form>
  )
}
