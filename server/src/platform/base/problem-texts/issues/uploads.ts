export const uploadsIssues = {
  file_name_required: 'is required, unless SourceURI says where to fetch the file',
  not_byte_count: 'must be a number of bytes, not "{value}"',
  upload_checksum_malformed: 'must be {algorithms}, a space and the digest in base64',
  upload_defer_length_invalid: 'must be 1',
  upload_concat_malformed: 'must be "partial", or "final;" and the URLs of the parts, separated by spaces',
  unknown_upload_part: 'names a part that does not exist or has expired (number {number})',
  repeated_upload_part: 'names a part twice (number {number})',
  incomplete_upload_part: 'names a part that is not complete (number {number})',
  upload_metadata_malformed: 'must be pairs of a key and its value in base64, separated by commas',
  upload_metadata_not_base64: 'has a value that is not base64 under the key {key}',
  upload_metadata_key_repeated: 'has the key {key} twice',
} as const
