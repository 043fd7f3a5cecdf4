import { Checkbox, Group, NumberInput, Switch } from '@mantine/core'
import { useTexts } from '../shell/texts.ts'
import { LadderEditor } from './ladder-editor.tsx'
import type { ProjectForm } from './use-project-form.ts'

const codecs = [
  ['h264', 'H.264'],
  ['hevc', 'HEVC (H.265)'],
  ['av1', 'AV1'],
] as const

export const EncodingFields = ({ form, errorOf }: ProjectForm) => {
  const t = useTexts('projects.settings')
  const { values } = form
  return (
    <>
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
    </>
  )
}
