export const uploadsProblems = {
  upload_not_found: ['not_found', 'This upload does not exist or has expired. Create the file again.'],
  upload_deleted: ['not_found', 'This upload has already been deleted.'],
  upload_superseded: ['not_found', 'This upload was replaced by a later one, or its file was deleted.'],
  upload_complete: ['conflict', 'This upload is complete. Delete the file through the API instead.'],
  upload_body_missing: [
    'invalid',
    'The body is missing. Send FileName as JSON, a form with a part "file", or the bytes of the file.',
  ],
  upload_empty: ['invalid', 'The body is empty. Send the bytes of a video or audio file.'],
  upload_too_large: ['too_large', 'An upload may have {maxBytes} bytes at most.'],
  upload_interrupted: ['timeout', 'The connection was lost. Ask for the offset and continue from there.'],
  upload_taken_over: ['conflict', 'A later request has taken over this upload.'],
  upload_offset_mismatch: ['conflict', 'The upload has {offset} bytes. Continue from there.'],
  upload_on_other_node: [
    'unavailable',
    'This request did not reach the node that holds the upload. Try again.',
  ],
  upload_storage_full: ['storage_full', 'The storage is full. Free some space, then continue the upload.'],
  upload_checksum_mismatch: [
    'invalid',
    'The bytes have the checksum {actual}, not {expected}. Upload them again.',
  ],
  chunk_checksum_mismatch: [
    'invalid',
    'The bytes of this request do not have the {algorithm} in Upload-Checksum and were discarded. Send them again.',
  ],
  body_size_differs: [
    'invalid',
    'The body has {bodyBytes} bytes, but FileSize is {fileSize}. Send the whole file, or parts with Content-Range.',
  ],
  body_incomplete: [
    'invalid',
    'The body had {bodyBytes} bytes, but the upload has {uploadBytes}. Send the whole file, or continue with Content-Range.',
  ],
  content_range_malformed: [
    'invalid',
    'Content-Range must look like "bytes 0-1048575/5242880", or "bytes */5242880" to ask for the offset, not "{value}".',
  ],
  content_range_total_differs: [
    'invalid',
    'Content-Range gives {rangeBytes} bytes in total, but the upload has {uploadBytes}.',
  ],
  content_range_beyond_end: ['invalid', 'Content-Range reaches past the {uploadBytes} bytes of the upload.'],
  content_range_length_differs: [
    'invalid',
    'Content-Range covers {rangeBytes} bytes, but the body has {bodyBytes}.',
  ],
  content_range_exceeded: [
    'invalid',
    'The body has more than the {rangeBytes} bytes that Content-Range covers. Send exactly these bytes.',
  ],
  upload_part_not_found: ['not_found', 'This part was deleted or joined with others.'],
  upload_part_deleted: ['conflict', 'A part was deleted in the meantime.'],
  upload_made_of_parts: ['forbidden', 'This upload was made of parts and accepts no bytes.'],
  tus_version_missing: ['invalid', 'This method requires tus. Send Tus-Resumable: {version}.'],
  tus_version_not_supported: ['invalid', 'tus {sent} is not supported. Send Tus-Resumable: {version}.'],
  tus_body_type: ['unsupported_media_type', 'The body of a tus request must have the Content-Type {type}.'],
  upload_length_fixed: [
    'invalid',
    'The upload has {uploadBytes} bytes, and Upload-Length cannot change that.',
  ],
  upload_length_too_small: [
    'invalid',
    'Upload-Length is {uploadLength}, but {receivedBytes} bytes have already been received.',
  ],
  upload_length_exceeded: [
    'too_large',
    'The body reaches past the {uploadBytes} bytes of the upload. Send no more bytes, or create the file again with its actual size.',
  ],
  upload_offset_missing: [
    'invalid',
    'Upload-Offset is missing. Send the position of the first byte of the body.',
  ],
  upload_length_missing: [
    'invalid',
    'Send Upload-Length, or "Upload-Defer-Length: 1" while the length is unknown.',
  ],
  upload_length_zero: ['invalid', 'An upload of 0 bytes is not a video or audio file.'],
} as const
