import { skipFileChecks } from '../platform/base/skip-file-checks.ts'

// Loads what the processes load, and ends. With NODE_COMPILE_CACHE, Node.js then stores the compiled code: the build of
// an image runs this (deploy/Containerfile).
skipFileChecks()
await Promise.all([
  // Prints how it is used.
  import('./main.ts'),
  import('./run-tree.ts'),
  import('./roles/prepare-start.ts'),
  import('./roles/report-live-end.ts'),
  import('./run-role.ts'),
  import('./api/start-api.ts'),
  import('./roles/worker.ts'),
  import('./roles/live.ts'),
  import('../platform/blobs/s3/s3-blob-store.ts'),
  import('./commands/remote-worker-command.ts'),
  import('./run-command.ts'),
])
process.exit(0)
