import { Badge, Button, Group, Modal, Stack, Table, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { zoetrope } from '../../shell/api.ts'
import { useTexts } from '../../shell/texts.ts'
import { rememberPasskey } from '../../shell/sign-in/known-passkey.ts'
import { canUsePasskeys, makePasskey } from '../../shell/sign-in/passkeys.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { formatTime } from '../../ui/format.ts'
import { useAgo } from '../../ui/relative-time.tsx'
import { DialogForm } from '../../ui/forms/dialog-form.tsx'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import { Section } from '../../ui/section.tsx'
import { browserOf } from '../browser-name.ts'
import type { Factors, Passkey } from './factor-queries.ts'

interface ChangeProps {
  readonly onClose: () => void
  readonly onChanged: () => Promise<unknown>
}

const AddPasskey = ({ onClose, onChanged }: ChangeProps) => {
  const t = useTexts('account.passkeys')
  const form = useSaveForm({
    initialValues: { Name: browserOf(navigator.userAgent).system ?? '' },
    save: async ({ Name }) => {
      const { Options } = await zoetrope.factors.startPasskey()
      const Credential = await makePasskey(Options)
      return Credential === null ? null : zoetrope.factors.createPasskey({ Name, Credential })
    },
    onSaved: async (passkey) => {
      if (passkey === null) return
      rememberPasskey()
      onClose()
      await onChanged()
    },
  })
  return (
    <DialogForm form={form} action={t('continue')} onCancel={onClose}>
      <Text size="sm">{t('prompt')}</Text>
      <TextInput
        label={t('name')}
        description={t('nameExplained')}
        required
        maxLength={100}
        data-autofocus
        {...form.getInputProps('Name')}
      />
    </DialogForm>
  )
}

const RenamePasskey = ({ passkey, onClose, onChanged }: ChangeProps & { readonly passkey: Passkey }) => {
  const t = useTexts('account.passkeys')
  const form = useSaveForm({
    initialValues: { Name: passkey.Name },
    save: (values) => zoetrope.factors.updatePasskey(passkey.Id, values),
    onSaved: async () => {
      onClose()
      await onChanged()
    },
  })
  return (
    <DialogForm form={form} action={t('save')} onCancel={onClose}>
      <TextInput label={t('name')} required maxLength={100} data-autofocus {...form.getInputProps('Name')} />
    </DialogForm>
  )
}

export const PasskeysSection = ({
  factors,
  onChanged,
}: {
  readonly factors: Factors
  readonly onChanged: () => Promise<unknown>
}) => {
  const t = useTexts('account.passkeys')
  const ago = useAgo()
  const [isAdding, { open, close }] = useDisclosure()
  const [act, setAct] = useState<{ kind: 'rename' | 'remove'; passkey: Passkey } | null>(null)
  const endAct = () => setAct(null)
  const isPossible = factors.CanUsePasskeys && canUsePasskeys()
  return (
    <Section
      title={t('title')}
      actions={
        factors.CanAdd &&
        isPossible && (
          <Button variant="default" onClick={open}>
            {t('add')}
          </Button>
        )
      }
    >
      <Text size="sm">{t(isPossible ? 'explained' : 'impossible')}</Text>
      {factors.Passkeys.length > 0 && (
        <Table aria-label={t('title')} withRowBorders={false}>
          <Table.Tbody>
            {factors.Passkeys.map((passkey) => (
              <Table.Tr key={passkey.Id}>
                <Table.Td px={0}>
                  <Group justify="space-between">
                    <Stack gap={0}>
                      <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
                        {passkey.Name} {passkey.IsSynced && <Badge variant="outline">{t('synced')}</Badge>}
                      </Text>
                      <Text size="sm" c="dimmed">
                        {passkey.LastUsedAt === null
                          ? t('added', { when: formatTime(passkey.CreatedAt) })
                          : t('used', { when: ago(passkey.LastUsedAt) })}
                      </Text>
                    </Stack>
                    <Group gap="xs">
                      {(['rename', 'remove'] as const).map((kind) => (
                        <Button
                          key={kind}
                          size="compact-sm"
                          variant="default"
                          aria-label={t(`${kind}Of`, { name: passkey.Name })}
                          onClick={() => setAct({ kind, passkey })}
                        >
                          {t(kind)}
                        </Button>
                      ))}
                    </Group>
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <Modal opened={isAdding} onClose={close} title={t('addTitle')}>
        <AddPasskey onClose={close} onChanged={onChanged} />
      </Modal>
      <Modal opened={act?.kind === 'rename'} onClose={endAct} title={t('renameTitle')}>
        {act !== null && <RenamePasskey passkey={act.passkey} onClose={endAct} onChanged={onChanged} />}
      </Modal>
      <Confirm
        isOpen={act?.kind === 'remove'}
        onClose={endAct}
        title={t('removeTitle', { name: act?.passkey.Name ?? '' })}
        text={t('removeText')}
        action={t('remove')}
        onConfirm={async () => {
          if (act !== null) await zoetrope.factors.deletePasskey(act.passkey.Id)
          await onChanged()
        }}
      />
    </Section>
  )
}
