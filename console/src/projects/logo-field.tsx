import { Button, FileButton, Group, Input, Select, Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Project } from '@zoetrope/sdk'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { Confirm } from '../ui/confirm.tsx'
import { asPicture } from '../ui/forms/as-picture.ts'
import { useSaveForm } from '../ui/forms/use-save-form.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { PlayerPreview } from './player-preview.tsx'

type LogoChange = Parameters<typeof zoetrope.projects.updateLogo>[1]

const corners = ['top-left', 'top-right', 'bottom-left', 'bottom-right'] as const

/**
 * The logo beside the colour. It is saved separately: an uploaded picture is stored even if the form is
 * discarded.
 */
export const LogoField = ({ project, color }: { readonly project: Project; readonly color: string }) => {
  const t = useTexts('projects.logo')
  const queryClient = useQueryClient()
  const { Logo: logo } = project.PlayerTheme
  const [isRemoving, { open, close }] = useDisclosure()
  const form = useSaveForm({
    initialValues: { Link: logo?.Link ?? '' },
    save: ({ Link }) => zoetrope.projects.updateLogo(project.Id, { Link: Link.trim() || null }),
    valuesAfter: ({ PlayerTheme: { Logo } }) => ({ Link: Logo?.Link ?? '' }),
    onSaved: (saved) => show(saved),
  })
  const change = useMutation({
    mutationFn: (body: LogoChange) => zoetrope.projects.updateLogo(project.Id, body),
    onSuccess: (saved) => show(saved),
  })
  const show = (saved: Project): void => {
    queryClient.setQueryData(queryKeys.project(project.Id), saved)
  }
  return (
    <Input.Wrapper label={t('title')} description={t('explained')} labelElement="div">
      <Group mt="xs" align="flex-start" gap="lg">
        <PlayerPreview logo={logo} color={color} />
        <Stack gap="sm" className="logo-fields">
          <Group gap="xs">
            <FileButton
              accept="image/png,image/jpeg,image/webp"
              onChange={(file) => file !== null && change.mutate(asPicture(file))}
            >
              {(props) => (
                <Button {...props} variant="default" loading={change.isPending}>
                  {t(logo === null ? 'choose' : 'replace')}
                </Button>
              )}
            </FileButton>
            {logo !== null && (
              <Button variant="default" onClick={open}>
                {t('remove')}
              </Button>
            )}
          </Group>
          <ProblemAlert error={form.problem ?? change.error} />
          {logo !== null && (
            <>
              <Select
                label={t('position')}
                maw={200}
                allowDeselect={false}
                value={logo.Position}
                data={corners.map((value) => ({ value, label: t(value) }))}
                onChange={(value) =>
                  change.mutate({ Position: corners.find((corner) => corner === value) ?? logo.Position })
                }
              />
              <TextInput
                label={t('link')}
                description={t('linkHelp')}
                type="url"
                placeholder="https://www.example.com/"
                maxLength={2_000}
                {...form.getInputProps('Link')}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter') return
                  // Enter saves the logo link instead of submitting the surrounding form.
                  event.preventDefault()
                  form.submit()
                }}
              />
              {form.values.Link !== (logo.Link ?? '') && (
                <Button
                  variant="default"
                  loading={form.saving.isPending}
                  style={{ alignSelf: 'flex-start' }}
                  onClick={() => form.submit()}
                >
                  {t('saveLink')}
                </Button>
              )}
            </>
          )}
        </Stack>
      </Group>
      <Confirm
        isOpen={isRemoving}
        onClose={close}
        title={t('removeTitle')}
        text={t('removeText')}
        action={t('remove')}
        onConfirm={async () => {
          await zoetrope.projects.deleteLogo(project.Id)
          change.reset()
          form.setInitialValues({ Link: '' })
          form.reset()
          await queryClient.invalidateQueries({ queryKey: queryKeys.project(project.Id) })
        }}
      />
    </Input.Wrapper>
  )
}
