import { ColorInput, NumberInput, Switch, TagsInput, Textarea, TextInput } from '@mantine/core'
import type { Project } from '@zoetrope/sdk'
import { useRef, type ReactNode } from 'react'
import { useTexts } from '../shell/texts.ts'
import { formatBytes } from '../ui/format.ts'
import { playerColors } from '../ui/embed/player-colors.ts'
import { ReleaseSelect } from '../ui/release-status.tsx'
import { SettingsLayout, type SettingsPart } from '../ui/layout/settings-layout.tsx'
import { DeleteProject } from './delete-project.tsx'
import { EncodingFields } from './encoding-fields.tsx'
import { FieldsEditor } from './fields-editor.tsx'
import { LogoField } from './logo-field.tsx'
import { ProjectSaveBar } from './project-save-bar.tsx'
import { useProjectForm, type ProjectForm } from './use-project-form.ts'
import { WatermarkFields } from './watermark-fields.tsx'

interface PartProps extends ProjectForm {
  readonly project: Project
}

const GeneralFields = ({ form }: PartProps) => {
  const t = useTexts('projects.settings')
  return (
    <>
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
        value={form.values.DefaultReleaseStatus}
      />
    </>
  )
}

const AccessFields = ({ form, errorOf }: PartProps) => {
  const t = useTexts('projects.settings')
  return (
    <>
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
    </>
  )
}

const PlayerFields = ({ form, errorOf, project }: PartProps) => {
  const t = useTexts('projects.settings')
  return (
    <>
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
      <Switch
        label={t('heatMap')}
        description={t('heatMapHelp')}
        {...form.getInputProps('hasHeatMap', { type: 'checkbox' })}
      />
      <LogoField project={project} color={form.values.playerColor} />
    </>
  )
}

const AnalyticsFields = ({ form, errorOf }: PartProps) => {
  const t = useTexts('projects.settings')
  return (
    <TagsInput
      label={t('dimensions')}
      description={t('dimensionsHelp')}
      acceptValueOnBlur
      splitChars={[',', ' ', ';']}
      maxTags={10}
      {...form.getInputProps('AnalyticsDimensions')}
      error={errorOf('AnalyticsDimensions')}
    />
  )
}

const StorageFields = ({ form, errorOf, project }: PartProps) => {
  const t = useTexts('projects.settings')
  return (
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
  )
}

/** Each part is a form of its own, because watermark and logo have forms too; all save the same values. */
export const ProjectSettingsForm = ({ project }: { readonly project: Project }) => {
  const t = useTexts('projects.settings')
  const tWatermark = useTexts('projects.watermark')
  const tDelete = useTexts('projects.deleteProject')
  const root = useRef<HTMLDivElement>(null)
  const { form, errorOf } = useProjectForm(project)
  const { values } = form
  const fields = { form, errorOf, project }
  const part = (id: string, title: string, description: string, content: ReactNode): SettingsPart => ({
    ...{ id, title, description },
    content: (
      <form onSubmit={form.submit} className="project-settings">
        {content}
      </form>
    ),
  })
  const save = (): void => {
    const forms = [...(root.current?.querySelectorAll<HTMLFormElement>('.project-settings') ?? [])]
    if (forms.every((one) => one.reportValidity())) form.save()
  }
  const parts: SettingsPart[] = [
    part('general', t('general'), t('generalHelp'), <GeneralFields {...fields} />),
    part('access', t('access'), t('accessHelp'), <AccessFields {...fields} />),
    part('player', t('player'), t('playerHelp'), <PlayerFields {...fields} />),
    part('analytics', t('analytics'), t('analyticsHelp'), <AnalyticsFields {...fields} />),
    part('storage', t('storage'), t('storageHelp'), <StorageFields {...fields} />),
    part('encoding', t('encoding'), t('encodingHelp'), <EncodingFields {...fields} />),
    part(
      'fields',
      t('fields'),
      t('fieldsHelp'),
      <FieldsEditor
        fields={values.fields}
        onChange={(changed) => form.setFieldValue('fields', changed)}
        errorAt={(index) => errorOf(`MetadataFields[${index}]`)}
      />,
    ),
    {
      id: 'watermark',
      title: tWatermark('title'),
      description: tWatermark('explained'),
      content: <WatermarkFields projectId={project.Id} hasOtherEdits={Object.keys(form.edits).length > 0} />,
    },
    {
      id: 'delete',
      title: tDelete('section'),
      description: tDelete('explained'),
      content: <DeleteProject project={project} />,
    },
  ]
  return (
    <div ref={root}>
      <SettingsLayout parts={parts} footer={<ProjectSaveBar form={form} onSave={save} />} />
    </div>
  )
}
