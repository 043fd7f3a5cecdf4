import { Button, FileButton, Group, Input, Select, Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Project } from '@zoetrope/sdk'
import { useState } from 'react'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { Confirm } from '../ui/confirm.tsx'
import { fieldErrors } from '../ui/forms/field-errors.ts'
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
  const [link, setLink] = useState(logo?.Link ?? '')
  const [isRemoving, setIsRemoving] = useState(false)
  const save = useMutation({
    mutationFn: (change: LogoChange) => zoetrope.projects.updateLogo(project.Id, change),
    onSuccess: (saved) => {
      setLink(saved.PlayerTheme.Logo?.Link ?? '')
      queryClient.setQueryData(queryKeys.project(project.Id), saved)
    },
  })
  const linkError = fieldErrors(save.error)['Link']
  const saveLink = (): void => save.mutate({ Link: link.trim() || null })
  return (
    <Input.Wrapper label={t('title')} description={t('explained')} labelElement="div">
      <Group mt="xs" align="flex-start" gap="lg">
        <PlayerPreview logo={logo} color={color} />
        <Stack gap="sm" className="logo-fields">
          <Group gap="xs">
            <FileButton
              accept="image/png,image/jpeg,image/webp"
              onChange={(file) => file !== null && save.mutate(file)}
            >
              {(props) => (
                <Button {...props} variant="default" loading={save.isPending}>
                  {t(logo === null ? 'choose' : 'replace')}
                </Button>
              )}
            </FileButton>
            {logo !== null && (
              <Button variant="default" onClick={() => setIsRemoving(true)}>
                {t('remove')}
              </Button>
            )}
          </Group>
          {linkError === undefined && <ProblemAlert error={save.error} />}
          {logo !== null && (
            <>
              <Select
                label={t('position')}
                maw={200}
                allowDeselect={false}
                value={logo.Position}
                data={corners.map((value) => ({ value, label: t(value) }))}
                onChange={(value) =>
                  save.mutate({ Position: corners.find((corner) => corner === value) ?? logo.Position })
                }
              />
              <TextInput
                label={t('link')}
                description={t('linkHelp')}
                type="url"
                placeholder="https://www.example.com/"
                maxLength={2_000}
                value={link}
                error={linkError}
                onChange={(event) => setLink(event.currentTarget.value)}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter') return
                  // Enter saves the logo link instead of submitting the surrounding form.
                  event.preventDefault()
                  saveLink()
                }}
              />
              {link !== (logo.Link ?? '') && (
                <Button
                  variant="default"
                  loading={save.isPending}
                  style={{ alignSelf: 'flex-start' }}
                  onClick={saveLink}
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
        onClose={() => setIsRemoving(false)}
        title={t('removeTitle')}
        text={t('removeText')}
        action={t('remove')}
        onConfirm={async () => {
          await zoetrope.projects.deleteLogo(project.Id)
          save.reset()
          await queryClient.invalidateQueries({ queryKey: queryKeys.project(project.Id) })
        }}
      />
    </Input.Wrapper>
  )
}
