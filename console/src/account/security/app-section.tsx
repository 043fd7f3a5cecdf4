import { Button, Center, Loader, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { zoetrope } from '../../shell/api.ts'
import { useTexts } from '../../shell/texts.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { formatTime } from '../../ui/format.ts'
import { useAgo } from '../../ui/relative-time.tsx'
import { DialogForm } from '../../ui/forms/dialog-form.tsx'
import { focusWhenShown } from '../../ui/hooks/focus-when-shown.ts'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { QrCode } from '../../ui/embed/qr-code.tsx'
import { Section } from '../../ui/section.tsx'
import type { Factors } from './factor-queries.ts'

const SetUpApp = ({
  onClose,
  onChanged,
}: {
  readonly onClose: () => void
  readonly onChanged: () => Promise<unknown>
}) => {
  const t = useTexts('account.authenticatorApp')
  const { mutate, data: secret, error } = useMutation({ mutationFn: () => zoetrope.factors.startTotp() })
  useEffect(() => mutate(), [mutate])
  const form = useSaveForm({
    initialValues: { Code: '' },
    save: (values) => zoetrope.factors.confirmTotp(values),
    onSaved: async () => {
      onClose()
      await onChanged()
    },
  })
  if (secret === undefined) return error === null ? <Loader /> : <ProblemAlert error={error} />
  return (
    <DialogForm form={form} action={t('confirm')} onCancel={onClose}>
      <Text size="sm">{t('scan')}</Text>
      <Center>
        <QrCode text={secret.URI} label={t('qr')} />
      </Center>
      <CopyField label={t('secret')} value={secret.Secret} />
      <TextInput
        label={t('code')}
        autoComplete="one-time-code"
        inputMode="numeric"
        required
        data-autofocus
        ref={focusWhenShown}
        maxLength={10}
        {...form.getInputProps('Code')}
      />
    </DialogForm>
  )
}

export const AppSection = ({
  factors: { AuthenticatorApp, CanAdd },
  onChanged,
}: {
  readonly factors: Factors
  readonly onChanged: () => Promise<unknown>
}) => {
  const t = useTexts('account.authenticatorApp')
  const ago = useAgo()
  const [isAdding, adding] = useDisclosure()
  const [isRemoving, removing] = useDisclosure()
  return (
    <Section
      title={t('title')}
      actions={
        AuthenticatorApp === null ? (
          CanAdd && (
            <Button variant="default" onClick={adding.open}>
              {t('setUp')}
            </Button>
          )
        ) : (
          <Button variant="default" onClick={removing.open}>
            {t('remove')}
          </Button>
        )
      }
    >
      <Stack gap={0}>
        <Text size="sm">{t('explained')}</Text>
        {AuthenticatorApp !== null && (
          <Text size="sm" c="dimmed">
            {AuthenticatorApp.LastUsedAt === null
              ? t('since', { when: formatTime(AuthenticatorApp.CreatedAt) })
              : t('used', { when: ago(AuthenticatorApp.LastUsedAt) })}
          </Text>
        )}
      </Stack>
      <Modal opened={isAdding} onClose={adding.close} title={t('setUpTitle')}>
        <SetUpApp onClose={adding.close} onChanged={onChanged} />
      </Modal>
      <Confirm
        isOpen={isRemoving}
        onClose={removing.close}
        title={t('removeTitle')}
        text={t('removeText')}
        action={t('remove')}
        onConfirm={async () => {
          await zoetrope.factors.deleteTotp()
          await onChanged()
        }}
      />
    </Section>
  )
}
