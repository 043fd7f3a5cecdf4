import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useTexts } from '../../shell/texts.ts'
import { useSaveForm } from '../forms/use-save-form.ts'
import { ProblemAlert } from '../problem-alert.tsx'

/** Returns the id in the token of a link, which precedes its signature of 43 characters, or null. */
const tokenIdIn = (link: string): string | null =>
  /\bkv\d+\.[\da-z]+\.([\w-]{16})[\w-]{43}(?![\w-])/.exec(link)?.[1] ?? null

/** Ends a signed link before it expires. All links of one signature have the same token. */
export const RevokeLink = ({ revoke }: { readonly revoke: (tokenId: string) => Promise<unknown> }) => {
  const t = useTexts('ui.revokeLink')
  const form = useSaveForm({
    initialValues: { Link: '' },
    validate: ({ Link }): Record<string, string> => (tokenIdIn(Link) === null ? { Link: t('noToken') } : {}),
    save: ({ Link }) => revoke(tokenIdIn(Link) ?? ''),
    valuesAfter: () => ({ Link: '' }),
  })
  return (
    <form onSubmit={form.submit}>
      <Stack gap="xs">
        <TextInput
          label={t('link')}
          description={t('advice')}
          required
          withAsterisk={false}
          maxLength={2_000}
          {...form.getInputProps('Link')}
        />
        <Group>
          <Button type="submit" variant="default" loading={form.saving.isPending}>
            {t('revoke')}
          </Button>
          <Text size="sm" role="status">
            {form.saving.isSuccess && t('revoked')}
          </Text>
        </Group>
        <ProblemAlert error={form.problem} />
      </Stack>
    </form>
  )
}
