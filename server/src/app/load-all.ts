import { skipFileChecks } from '../platform/base/skip-file-checks.ts'

// Loads what the processes load, and ends. With NODE_COMPILE_CACHE, Node.js then stores the compiled code: the build of
// an image runs this (deploy/Containerfile).
skipFileChecks()
for (const module of [
  // Prints how it is used.
  './main.ts',
  './run-tree.ts',
  './roles/prepare-start.ts',
  './roles/report-live-end.ts',
  './run-role.ts',
  './api/start-api.ts',
  './roles/worker.ts',
  './roles/live.ts',
  '../platform/blobs/s3/s3-blob-store.ts',
  './commands/remote-worker-command.ts',
  './run-command.ts',
])
  await import(module)
process.exit(0)
