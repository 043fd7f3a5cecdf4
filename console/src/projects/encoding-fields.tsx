import { Checkbox, Group, NumberInput, Select, Switch } from '@mantine/core'
import { useTexts } from '../shell/texts.ts'
import { ladderModes, ladderModeText } from './settings-form.ts'
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
      <Select
        label={t('ladderMode')}
        description={t('ladderModeHelp')}
        maw={320}
        allowDeselect={false}
        value={values.LadderMode}
        error={errorOf('EncoderSettings.LadderMode')}
        data={ladderModes.map((value) => ({ value, label: t(ladderModeText[value]) }))}
        onChange={(chosen) =>
          form.setFieldValue('LadderMode', ladderModes.find((mode) => mode === chosen) ?? values.LadderMode)
        }
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
