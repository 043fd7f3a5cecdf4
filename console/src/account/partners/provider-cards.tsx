import './partners.css'
import { Radio, Text } from '@mantine/core'
import { useTexts } from '../../shell/texts.ts'
import { presetNames, type Preset } from './presets.ts'

export const ProviderCards = ({
  value,
  onChange,
}: {
  readonly value: Preset
  readonly onChange: (preset: Preset) => void
}) => {
  const t = useTexts('account.partners')
  return (
    <Radio.Group
      aria-label={t('preset')}
      value={value}
      onChange={(chosen) => onChange(presetNames.find((name) => name === chosen) ?? value)}
    >
      <div className="provider-cards">
        {presetNames.map((name) => (
          <Radio.Card key={name} value={name} className="provider-card" aria-label={t(`preset-${name}`)}>
            <Radio.Indicator size="xs" />
            <span>
              <Text fw={550} size="sm" component="span" display="block">
                {t(`preset-${name}`)}
              </Text>
              <Text size="xs" c="dimmed" component="span">
                {t(`about-${name}`)}
              </Text>
            </span>
          </Radio.Card>
        ))}
      </div>
    </Radio.Group>
  )
}
