export const libraryProblems = {
  project_not_found: ['not_found', 'Project {projectId} does not exist.'],
  project_live: ['conflict', 'Project {projectId} is live. Stop the stream first.'],
  project_has_files: [
    'conflict',
    'Project {projectId} has {count} files. Delete them first, or use cascade=true.',
  ],
  project_not_deleted: ['conflict', 'Project {projectId} is not deleted.'],
  project_deleted: [
    'conflict',
    'Project {projectId} is deleted. Restore the project, and its files are restored with it.',
  ],
  storage_quota_exceeded: [
    'quota_exceeded',
    'The file would exceed the storage quota of project {projectId}: {usedBytes} of {quotaBytes} bytes are used.',
  ],
  external_id_in_use: [
    'conflict',
    'The ExternalId "{externalId}" belongs to another {kind}. Choose another one.',
  ],
  external_id_of_project: [
    'conflict',
    'The ExternalId "{externalId}" belongs to project {projectId}. Choose another one, or change that project first.',
  ],
  external_id_of_file: [
    'conflict',
    'The ExternalId "{externalId}" belongs to file {fileId}. Choose another one, or change that file first.',
  ],
  external_id_of_restored_file: [
    'conflict',
    'The ExternalId "{externalId}" belongs to file {fileId}, which is being restored with the project. Choose another one, or change that file first.',
  ],
  external_id_of_playlist: [
    'conflict',
    'The ExternalId "{externalId}" belongs to playlist {playlistId}. Choose another one, or change that playlist first.',
  ],
  external_id_of_deleted_project: [
    'conflict',
    'The ExternalId "{externalId}" belongs to playlist {playlistId} of the deleted project {projectId}. Choose another one, or change that playlist first.',
  ],
  catalog_entry_not_found: ['not_found', '{kind} {id} does not exist.'],
  catalog_value_in_use: [
    'conflict',
    'Another {kind} already has this {field}. Choose another one, or use the existing {kind}.',
  ],
  file_not_found: ['not_found', 'File {fileId} does not exist.'],
  file_not_found_in_project: ['not_found', 'File {fileId} does not exist in project {projectId}.'],
  file_not_deleted: ['conflict', 'File {fileId} is not deleted.'],
  file_processing: ['conflict', 'File {fileId} is being processed ({state}). Wait until IsFinished is true.'],
  file_has_no_errors: [
    'conflict',
    'File {fileId} has no errors. Use force=true to encode it again with the current settings of the project.',
  ],
  file_not_uploaded: [
    'conflict',
    'File {fileId} has no bytes yet. Finish its upload, or replace it to get a new upload URL.',
  ],
  file_upload_unfinished: [
    'conflict',
    'A new source of file {fileId} is being uploaded. Wait until the upload is complete or expires.',
  ],
  source_not_stored: [
    'conflict',
    'The source of file {fileId} is no longer stored. Replace the file instead.',
  ],
  source_not_kept: [
    'conflict',
    'The source of file {fileId} was deleted after encoding, because its project does not keep sources (KeepOriginal). Replace the file instead.',
  ],
  clip_of_failed_file: ['conflict', 'File {fileId} has failed, so it cannot be clipped.'],
  clip_source_processing: [
    'conflict',
    'File {fileId} cannot be clipped yet ({state}). Wait until it is uploaded and IsPlayable is true.',
  ],
  clip_source_not_stored: [
    'conflict',
    'The source of file {fileId} is not stored, so it cannot be clipped. Replace the file to upload it again.',
  ],
  project_record_too_large: [
    'invalid',
    'The record of the project would exceed {maxBytes} bytes of JSON, too large for a webhook. Shorten its MetadataFields or Description.',
  ],
  record_too_large: [
    'invalid',
    'The record of the file would exceed {maxBytes} bytes of JSON, too large for a webhook. Shorten its Metadata, name or Captions.',
  ],
  picture_not_found: ['not_found', 'Picture {pictureId} does not exist in file {fileId}.'],
  picture_body_missing: [
    'invalid',
    'The body is missing. Send Position as JSON, a form with a part "file", or the bytes of a picture.',
  ],
  picture_failed: ['invalid', 'The picture could not be made. Try again.'],
  picture_undecodable: ['invalid', 'The picture is damaged and could not be decoded.'],
  picture_source_missing: ['invalid', 'The source of the picture no longer exists.'],
  picture_not_processed: ['invalid', 'The picture could not be processed: {message}'],
  no_frame_at_position: ['invalid', 'The video has no frame at {seconds} s. Choose an earlier position.'],
  picture_workers_busy: ['unavailable', 'No worker is free to make the picture. Try again later.'],
  file_has_no_video: ['invalid', 'The file has no video to take a frame from. Upload a picture instead.'],
  frame_source_not_stored: [
    'conflict',
    'The source of file {fileId} is no longer stored, so no frame can be taken. Upload a picture instead.',
  ],
  frame_source_missing: [
    'conflict',
    'File {fileId} has no bytes yet, so no frame can be taken. Upload them first, or upload a picture.',
  ],
  logo_not_found: ['not_found', 'Project {projectId} has no logo.'],
  watermark_not_found: ['not_found', 'Project {projectId} has no watermark.'],
  caption_not_found: ['not_found', 'Caption {captionId} does not exist in file {fileId}.'],
  caption_exists: [
    'conflict',
    'File {fileId} already has {kind} in {language} (caption {captionId}). Change that one with PUT, or delete it first.',
  ],
  caption_too_large: ['too_large', 'The text of the captions is larger than {limit}.'],
  caption_body_missing: [
    'invalid',
    'The body is missing. Send Language and Content as JSON, the text itself, or a form with a part "file".',
  ],
  caption_kind_changed: ['conflict', 'The kind of these captions has just changed. Read them again.'],
  playlist_not_found: ['not_found', 'Playlist {playlistId} does not exist.'],
  playlist_not_deleted: ['conflict', 'Playlist {playlistId} is not deleted.'],
  playlist_is_automatic: [
    'conflict',
    'Playlist {playlistId} is automatic: its Rules select its elements. Change the rules, or create a manual playlist.',
  ],
  event_not_found: ['not_found', 'Event {eventId} does not exist.'],
} as const
