import { Alert, Button, Code, Group, List, Stack, Text, TextInput, ThemeIcon } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { zoetrope } from '../../shell/api.ts'
import { messageText } from '../../shell/reason-text.ts'
import { useTexts } from '../../shell/texts.ts'
import { UnsavedChanges } from '../../ui/forms/unsaved-changes.tsx'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { presets, type Preset } from './presets.ts'

const Passed = ({ children }: { readonly children: string }) => (
  <List.Item
    icon={
      <ThemeIcon size={18} radius="xl" color="green" variant="light">
        <IconCheck size={12} aria-hidden />
      </ThemeIcon>
    }
  >
    {children}
  </List.Item>
)

/** Checks the issuer by its discovery document. The next step opens only after success. */
export const IssuerStep = ({
  preset,
  issuer,
  onBack,
  onNext,
}: {
  readonly preset: Preset
  readonly issuer: string
  readonly onBack: () => void
  readonly onNext: (issuer: string) => void
}) => {
  const t = useTexts('account.partners')
  const form = useSaveForm({
    initialValues: { Issuer: issuer },
    save: async ({ Issuer }) => ({
      Issuer,
      ...(await zoetrope.partners.checkIssuer({ Preset: preset, Issuer })),
    }),
  })
  const { data: result } = form.saving
  const isChecked = result?.Issuer === form.values.Issuer
  const isPassed = isChecked && result.IsWorking
  return (
    <form onSubmit={isPassed ? (event) => (event.preventDefault(), onNext(result.Issuer)) : form.submit}>
      <UnsavedChanges isDirty={form.isDirty()} />
      <Stack>
        <Text>{t(`do-${preset}`)}</Text>
        <TextInput
          label={t('issuer')}
          description={t('issuerExplained')}
          placeholder={presets[preset].issuer}
          type="url"
          required
          maxLength={1_024}
          readOnly={preset === 'google'}
          data-autofocus
          {...form.getInputProps('Issuer')}
        />
        <ProblemAlert error={form.problem} />
        <div role="status">
          {isPassed && (
            <>
              <List spacing={4} size="sm">
                <Passed>{t('passedDiscovery')}</Passed>
                <Passed>{t('passedKeys')}</Passed>
              </List>
              <Text size="sm" c="dimmed" mt={4} style={{ overflowWrap: 'anywhere' }}>
                {t('tokenEndpoint')}: <Code>{result.TokenEndpoint}</Code>
              </Text>
            </>
          )}
          {isChecked && !result.IsWorking && (
            <Alert
              variant="light"
              color="red"
              title={t('checkFailed', { step: t(`step-${result.FailedStep ?? 'discovery'}`) })}
            >
              <span style={{ overflowWrap: 'anywhere' }}>
                {messageText(result.Message, result.Reason, result.Params)}
              </span>
            </Alert>
          )}
        </div>
        <Group justify="space-between">
          <Button variant="default" onClick={onBack}>
            {t('back')}
          </Button>
          <Button type="submit" loading={form.saving.isPending}>
            {t(isPassed ? 'next' : 'check')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
