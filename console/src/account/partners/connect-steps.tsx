import './partners.css'
import { Button, Stack, Stepper, Text, Title } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTexts } from '../../shell/texts.ts'
import { ConnectForm } from './connect-form.tsx'
import { IssuerStep } from './issuer-step.tsx'
import type { Provider } from './partner-queries.ts'
import { presets, type Preset } from './presets.ts'
import { ProviderCards } from './provider-cards.tsx'
import { SignInForm } from './sign-in-form.tsx'

const Step = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <Stack gap="sm" mt="sm">
    <Title order={3} size="h4">
      {title}
    </Title>
    {children}
  </Stack>
)

/**
 * Steps after the choice of a provider: check its issuer, test the credentials, then optionally sign-in. Each
 * step is verified before the next one opens. Changing a connection starts with the credentials.
 */
export const ConnectSteps = ({
  provider,
  chosen,
  onClose,
}: {
  readonly provider: Provider | null
  /** The kind of a new provider. */
  readonly chosen: Preset
  readonly onClose: () => void
}) => {
  const t = useTexts('account.partners')
  const [step, setStep] = useState(provider === null ? 1 : 2)
  const [preset, setPreset] = useState<Preset>(provider?.Preset ?? chosen)
  const [issuer, setIssuer] = useState(provider?.Issuer ?? '')
  const [connected, setConnected] = useState<Provider | null>(null)
  const choose = (name: Preset): void => {
    if (name !== preset) setIssuer('')
    setPreset(name)
    setStep(1)
  }
  return (
    <>
      <Stepper
        active={step}
        size="sm"
        iconSize={28}
        className="connect-steps"
        allowNextStepsSelect={false}
        onStepClick={(index) => connected === null && setStep(index)}
      >
        <Stepper.Step label={t('stepProvider')} />
        <Stepper.Step label={t('stepIssuer')} />
        <Stepper.Step label={t('stepCredentials')} />
        <Stepper.Step label={t('stepSignIn')} />
      </Stepper>
      {step === 0 && (
        <Step title={t('chooseProvider')}>
          <ProviderCards onChoose={choose} />
        </Step>
      )}
      {step === 1 && (
        <Step title={t('checkTitle', { provider: t(`preset-${preset}`) })}>
          <IssuerStep
            key={preset}
            preset={preset}
            issuer={issuer || (preset === 'google' ? presets.google.issuer : '')}
            onBack={() => setStep(0)}
            onNext={(checked) => {
              setIssuer(checked)
              setStep(2)
            }}
          />
        </Step>
      )}
      {step === 2 && (
        <Step title={t('credentialsTitle')}>
          <Text size="sm" c="dimmed">
            {t('trying')}
          </Text>
          <ConnectForm
            key={preset}
            preset={preset}
            issuer={issuer}
            provider={provider}
            onBack={() => setStep(1)}
            onConnected={(made) => {
              setConnected(made)
              setStep(3)
            }}
          />
        </Step>
      )}
      {step === 3 && connected !== null && (
        <Step title={t('signInTitle')}>
          <SignInForm provider={connected} onSaved={onClose}>
            <Button variant="default" onClick={onClose}>
              {t('later')}
            </Button>
          </SignInForm>
        </Step>
      )}
    </>
  )
}
