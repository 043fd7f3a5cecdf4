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
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { notifications } from '@mantine/notifications'
import type { Project } from '@zoetrope/sdk'
import { useState, type SubmitEvent } from 'react'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { fieldErrors } from '../ui/forms/field-errors.ts'
import { formatBytes } from '../ui/format.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { playerColors } from '../ui/embed/player-colors.ts'
import { ReleaseSelect } from '../ui/release-status.tsx'
import { Section } from '../ui/section.tsx'
import { FieldsEditor } from './fields-editor.tsx'
import { LadderEditor } from './ladder-editor.tsx'
import { LogoField } from './logo-field.tsx'
import { changesOf, formOf, type SettingsForm } from './settings-form.ts'

const codecs = [
  ['h264', 'H.264'],
  ['hevc', 'HEVC (H.265)'],
  ['av1', 'AV1'],
] as const

/** All settings in one form. Only changes are sent. */
export const ProjectSettingsForm = ({ project }: { readonly project: Project }) => {
  const t = useTexts('projects.settings')
  const queryClient = useQueryClient()
  const [before, setBefore] = useState(() => formOf(project))
  const [form, setForm] = useState(before)
  const changes = changesOf(before, form)
  const isChanged = Object.keys(changes).length > 0
  const save = useMutation({
    mutationFn: () => zoetrope.projects.update(project.Id, changes),
    onSuccess: (saved) => {
      setBefore(formOf(saved))
      setForm(formOf(saved))
      notifications.show({ message: t('saved') })
      return queryClient.invalidateQueries({ queryKey: queryKeys.projects })
    },
  })
  const errors = fieldErrors(save.error)
  /** The API also names nested fields: `AllowedDomains[1]`. */
  const errorOf = (name: string): string | null => {
    const found = Object.keys(errors).find(
      (field) => field === name || field.startsWith(`${name}.`) || field.startsWith(`${name}[`),
    )
    return found === undefined ? null : (errors[found] ?? null)
  }
  const set = (part: Partial<SettingsForm>): void => setForm({ ...form, ...part })
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    if (isChanged) save.mutate()
  }
  return (
    <form onSubmit={submit} className="project-settings">
      <Section title={t('general')}>
        <TextInput
          label={t('name')}
          required
          maxLength={255}
          value={form.Name}
          error={errorOf('Name')}
          onChange={(event) => set({ Name: event.currentTarget.value })}
        />
        <Textarea
          label={t('description')}
          autosize
          minRows={2}
          maxRows={10}
          maxLength={10_000}
          value={form.Description}
          error={errorOf('Description')}
          onChange={(event) => set({ Description: event.currentTarget.value })}
        />
        <ReleaseSelect
          label={t('releaseOfNew')}
          maw={320}
          value={form.DefaultReleaseStatus}
          onChange={(DefaultReleaseStatus) => set({ DefaultReleaseStatus })}
        />
      </Section>
      <Section title={t('access')}>
        <Switch
          label={t('tokens')}
          description={t('tokensHelp')}
          checked={form.TokenSecurity}
          onChange={(event) => set({ TokenSecurity: event.currentTarget.checked })}
        />
        <TagsInput
          label={t('domains')}
          description={t('domainsHelp')}
          acceptValueOnBlur
          splitChars={[',', ' ', ';']}
          maxTags={100}
          value={form.AllowedDomains}
          error={errorOf('AllowedDomains')}
          onChange={(AllowedDomains) => set({ AllowedDomains })}
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
          value={form.playerColor}
          error={errorOf('PlayerTheme')}
          onChange={(playerColor) => set({ playerColor })}
        />
        <LogoField project={project} color={form.playerColor} />
      </Section>
      <Section title={t('storage')}>
        <NumberInput
          label={t('quota')}
          description={t('quotaHelp', { used: formatBytes(project.StorageBytes) })}
          maw={320}
          min={0}
          max={9_000_000}
          decimalScale={3}
          value={form.quotaGigabytes}
          error={errorOf('StorageQuotaBytes')}
          onChange={(quotaGigabytes) => set({ quotaGigabytes })}
        />
      </Section>
      <Section title={t('encoding')}>
        <Text size="sm" c="dimmed">
          {t('encodingHelp')}
        </Text>
        <Switch
          label={t('useEncoding')}
          description={t('useEncodingHelp')}
          checked={form.UseEncoding}
          onChange={(event) => set({ UseEncoding: event.currentTarget.checked })}
        />
        <Checkbox.Group
          label={t('codecs')}
          description={t('codecsHelp')}
          value={form.codecs}
          error={errorOf('EncoderSettings.VideoCodecs')}
          onChange={(chosen) =>
            set({ codecs: codecs.map(([codec]) => codec).filter((codec) => chosen.includes(codec)) })
          }
        >
          <Group mt="xs">
            {codecs.map(([value, label]) => (
              <Checkbox key={value} value={value} label={label} disabled={value === 'h264'} />
            ))}
          </Group>
        </Checkbox.Group>
        <LadderEditor
          rungs={form.rungs}
          onChange={(rungs) => set({ rungs })}
          error={errorOf('EncoderSettings.Renditions')}
        />
        <NumberInput
          label={t('priority')}
          maw={400}
          min={0}
          max={100}
          required
          allowDecimal={false}
          value={form.EncodingPriority}
          error={errorOf('EncoderSettings.EncodingPriority')}
          onChange={(EncodingPriority) => set({ EncodingPriority })}
        />
        <Switch
          label={t('loudness')}
          description={t('loudnessHelp')}
          checked={form.NormalizeLoudness}
          onChange={(event) => set({ NormalizeLoudness: event.currentTarget.checked })}
        />
        <Switch
          label={t('keep')}
          description={t('keepHelp')}
          checked={form.KeepOriginal}
          onChange={(event) => set({ KeepOriginal: event.currentTarget.checked })}
        />
      </Section>
      <Section title={t('fields')}>
        <FieldsEditor
          fields={form.fields}
          onChange={(fields) => set({ fields })}
          errorAt={(index) => errorOf(`MetadataFields[${index}]`)}
        />
      </Section>
      {(isChanged || save.error !== null) && (
        <Paper withBorder shadow="md" p="sm" className="project-settings-save">
          <ProblemAlert error={save.error} />
          <Group>
            <Button type="submit" loading={save.isPending} disabled={!isChanged}>
              {t('save')}
            </Button>
            <Text size="sm">{t('changed')}</Text>
          </Group>
        </Paper>
      )}
    </form>
  )
}
