import { AspectRatio, Modal, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconMovie, IconMusic, IconPlayerPlayFilled } from '@tabler/icons-react'
import type { MediaFile } from '@zoetrope/sdk'
import { useState } from 'react'
import { PlayerFrame } from '../file/player-frame.tsx'
import { createPlayerLink } from '../file/player-link.ts'
import { Thumb } from '../library/thumb.tsx'
import { useTexts } from '../shell/texts.ts'

const Player = ({ file }: { readonly file: MediaFile }) => {
  const [link] = useState(createPlayerLink)
  return <PlayerFrame file={file} link={link} start="autoplay" />
}

const soundEndings = /\.(mp3|m4a|aac|wav|flac|ogg|opus)$/i

/** The picture of an uploaded file, which plays it as soon as it is playable. */
export const UploadPicture = ({
  name,
  file,
}: {
  readonly name: string
  /** Undefined until the server has the record. */
  readonly file: MediaFile | undefined
}) => {
  const t = useTexts('uploads.uploadRow')
  const [isOpen, { open, close }] = useDisclosure()
  const Icon = soundEndings.test(name) ? IconMusic : IconMovie
  const picture =
    file === undefined || file.Properties === null ? (
      <AspectRatio ratio={16 / 9} className="thumb">
        <Icon aria-hidden />
      </AspectRatio>
    ) : (
      <Thumb file={file} />
    )
  if (file?.IsPlayable !== true) return <div className="upload-picture">{picture}</div>
  return (
    <>
      <UnstyledButton className="upload-picture" aria-label={t('play', { name })} onClick={open}>
        {picture}
        <span className="upload-picture-play">
          <IconPlayerPlayFilled size={14} aria-hidden />
        </span>
      </UnstyledButton>
      <Modal opened={isOpen} onClose={close} title={name} size="lg">
        <Player file={file} />
      </Modal>
    </>
  )
}
