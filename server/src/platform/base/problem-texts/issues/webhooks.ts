export const webhooksIssues = {
  masked_header_unknown: 'is masked, but the webhook has no header of this name; send its value',
  header_of_former_target: 'is stored for the former TargetURL; send its value again, or omit the header',
  secret_too_short: 'must have at least 16 characters, or be whsec_ and the base64 of at least 16 bytes',
  not_header_name: 'is not a valid header name',
  header_reserved: 'is a header that Zoetrope sets itself; omit it',
  not_visible_ascii: 'must contain visible ASCII characters only',
  project_not_of_webhook: 'must be {projectId}, the only project of this webhook',
  discard_not_applicable: 'applies only when a webhook is disabled or enabled again',
} as const
