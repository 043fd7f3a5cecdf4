import { Button, Group, List, Radio, Stack, Stepper, Text } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../../shell/texts.ts'
import { ConnectForm } from './connect-form.tsx'
import type { Provider } from './partner-queries.ts'
import { presetNames, presets, type Preset } from './presets.ts'

/**
 * Steps: choose the provider, configure it, enter its values here. Changing a connection starts with the last
 * step.
 */
export const ConnectSteps = ({
  provider,
  onClose,
}: {
  readonly provider: Provider | null
  readonly onClose: () => void
}) => {
  const t = useTexts('account.partners')
  const [step, setStep] = useState(provider === null ? 0 : 2)
  const [preset, setPreset] = useState<Preset>(provider?.Preset ?? 'keycloak')
  const mayUseKey = presets[preset].authentications.some((one) => one === 'private_key_jwt')
  const ways = (
    <Group justify="space-between">
      <Button variant="default" disabled={step === 0} onClick={() => setStep(step - 1)}>
        {t('back')}
      </Button>
      <Button onClick={() => setStep(step + 1)}>{t('next')}</Button>
    </Group>
  )
  return (
    <Stepper active={step} onStepClick={setStep} size="sm" iconSize={28}>
      <Stepper.Step label={t('stepProvider')}>
        <Stack>
          <Radio.Group
            label={t('preset')}
            value={preset}
            onChange={(value) => setPreset(presetNames.find((name) => name === value) ?? preset)}
          >
            <Stack gap="xs" mt="xs">
              {presetNames.map((name) => (
                <Radio key={name} value={name} label={t(`preset-${name}`)} />
              ))}
            </Stack>
          </Radio.Group>
          {ways}
        </Stack>
      </Stepper.Step>
      <Stepper.Step label={t('stepThere')}>
        <Stack>
          <List>
            <List.Item>{t(`do-${preset}`)}</List.Item>
            {mayUseKey && <List.Item>{t('doKey')}</List.Item>}
          </List>
          {ways}
        </Stack>
      </Stepper.Step>
      <Stepper.Step label={t('stepHere')}>
        <Stack>
          <Text size="sm">{t('trying')}</Text>
          <ConnectForm key={preset} preset={preset} provider={provider} onClose={onClose} />
        </Stack>
      </Stepper.Step>
    </Stepper>
  )
}
