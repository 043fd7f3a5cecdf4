import { mkdir, readFile, realpath, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findProgram } from '../support/find-program.ts'
import { runTool } from './run-tool.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
/** The official image of Debian leaves these out, too. */
const unneeded = ['/usr/share/doc/*', '/usr/share/man/*', '/usr/share/locale/*', '/usr/share/info/*']

/** Own storage, so that nothing of the test stays on the machine. */
export const storageOf = (folder: string): string[] => [
  ...['--root', join(folder, 'storage'), '--runroot', join(folder, 'run')],
  ...['--storage-driver', 'overlay'],
]

export interface ImageSizes {
  readonly unpackedBytes: number
  readonly compressedBytes: number
}

/**
 * Stands in for the official base images where no registry is reachable: Debian from its packages, and the same with
 * the Node.js of this checkout and the npm of this machine. Returns the names of both.
 */
const makeBaseImages = async (folder: string, buildah: (...words: string[]) => Promise<string>) => {
  const tar = join(folder, 'debian.tar')
  await runTool('mmdebstrap', [
    // As in the official image: without usrmerge, which brings Perl along.
    '--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr',
    ...['--variant=minbase', '--include=ca-certificates,libatomic1,usr-is-merged'],
    ...unneeded.map((path) => `--dpkgopt=path-exclude=${path}`),
    '--aptopt=Acquire::Check-Valid-Until "false"',
    ...['bookworm', tar],
  ])
  const debian = await buildah('from', 'scratch')
  await buildah('add', debian, tar, '/')
  await rm(tar)
  await buildah('commit', debian, 'localhost/debian')
  const node = await buildah('from', 'localhost/debian')
  const npm = dirname(dirname(await realpath((await findProgram('npm')) ?? '')))
  await buildah('copy', node, process.execPath, '/usr/local/bin/node')
  await buildah('copy', node, npm, '/usr/local/lib/node_modules/npm')
  // The packages may come through a proxy with a certificate authority of its own.
  const authorities = '/etc/ssl/certs/ca-certificates.crt'
  await buildah('copy', node, authorities, authorities)
  await buildah('config', '--env', `NODE_EXTRA_CA_CERTS=${authorities}`, node)
  const link = 'ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && npm --version'
  await buildah('run', '--isolation', 'chroot', node, '--', 'sh', '-c', link)
  await buildah('commit', node, 'localhost/node')
  return { base: 'localhost/debian', build: 'localhost/node' }
}

interface OciManifest {
  readonly layers: readonly { readonly size: number }[]
}

/** The sum of the layers that a registry would hold. */
const compressedBytesOf = async (folder: string): Promise<number> => {
  const read = async <T>(...path: string[]): Promise<T> =>
    JSON.parse(await readFile(join(folder, ...path), 'utf8')) as T
  const index = await read<{ manifests: { digest: string }[] }>('index.json')
  const [, digest = ''] = index.manifests[0]?.digest.split(':') ?? []
  const { layers } = await read<OciManifest>('blobs', 'sha256', digest)
  return layers.reduce((sum, { size }) => sum + size, 0)
}

/** Builds deploy/Containerfile with the buildah of this machine. */
export const buildImage = async (folder: string, name: string): Promise<ImageSizes> => {
  await mkdir(folder, { recursive: true })
  const buildah = (...words: string[]): Promise<string> =>
    runTool('buildah', [...storageOf(folder), ...words], root)
  const { base, build } = await makeBaseImages(folder, buildah)
  const commit = await runTool('git', ['rev-parse', 'HEAD'], root)
  await buildah(
    ...['build', '--isolation', 'chroot', '--format', 'docker', '--pull-never'],
    ...['--build-arg', `BASE_IMAGE=${base}`, '--build-arg', `BUILD_IMAGE=${build}`],
    ...['--build-arg', `COMMIT=${commit}`, '-f', 'deploy/Containerfile', '-t', name, '.'],
  )
  const layout = join(folder, 'layout')
  await buildah('push', '--format', 'oci', name, `oci:${layout}`)
  const compressedBytes = await compressedBytesOf(layout)
  await rm(layout, { recursive: true })
  const container = await buildah('from', '--pull-never', name)
  const mounted = await buildah('mount', container)
  const used = await runTool('du', ['-sxb', '--apparent-size', mounted])
  await buildah('umount', container)
  return { unpackedBytes: Number.parseInt(used, 10), compressedBytes }
}
