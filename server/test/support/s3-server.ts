import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'

export interface S3Server {
  readonly endpoint: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly bucket: string
  readonly stop: () => Promise<void>
}

/** Debian's Python modules belong to this interpreter; another `python3` in the PATH does not have them. */
const pythonPath = '/usr/bin/python3'

const missingModuleExitCode = 3

/** Amazon lists 1,000 keys a page. A smaller page makes tests reach a second page soon. */
export const listingPageSize = 50

/**
 * OpenStack Swift, which checks signatures, with its account, container, object and proxy servers in one process on free
 * ports. All timeouts are long: a container update that is late is lost to listings, as no updater runs here.
 * The process ends with its standard input, so it cannot outlive a killed test.
 */
const swiftProgram = `
import os, sys, threading
try:
    import eventlet
    eventlet.monkey_patch(os=False, thread=False)
    from eventlet import wsgi
    from swift.common import utils
except ImportError:
    sys.exit(${String(missingModuleExitCode)})

folder, access_key, secret_key, host, port = sys.argv[1:]
os.environ['TZ'] = 'UTC+0'
utils.SWIFT_CONF_FILE = folder + '/swift.conf'
with open(utils.SWIFT_CONF_FILE, 'w') as file:
    file.write('[swift-hash]\\nswift_hash_path_suffix = test\\n')
utils.validate_hash_conf()

from swift.common.ring import RingBuilder
from swift.common.wsgi import SwiftHttpProtocol, loadapp

class NoCache:
    """tempauth insists on a cache, but never needs it for S3 requests."""
    def get(self, *args, **kwargs): return None
    def set(self, *args, **kwargs): pass
    def delete(self, *args, **kwargs): pass
    def incr(self, *args, **kwargs): return 1

def without_cache(app):
    def call(environ, start_response):
        environ['swift.cache'] = NoCache()
        return app(environ, start_response)
    return call

def serve(name, listener, pipeline, settings=''):
    path = '%s/%s.conf' % (folder, name)
    with open(path, 'w') as file:
        file.write('[DEFAULT]\\nswift_dir = %s\\ndevices = %s\\nmount_check = false\\nfallocate_reserve = 0\\n' % (folder, folder))
        file.write('[pipeline:main]\\npipeline = %s %s\\n' % (pipeline, name))
        for filter in pipeline.split():
            file.write('[filter:%s]\\nuse = egg:swift#%s\\n' % (filter, filter))
            if filter == 's3api':
                file.write('max_bucket_listing = ${String(listingPageSize)}\\n')
            if filter == 'tempauth':
                file.write('user_%s = %s .admin\\n' % (access_key.replace(':', '_'), secret_key))
        file.write('[app:%s]\\nuse = egg:swift#%s\\nconn_timeout = 60\\nnode_timeout = 60\\n' % (name, name.split('-')[0]))
        file.write(settings)
    app = loadapp(path, global_conf={'log_name': name})
    eventlet.spawn(wsgi.server, listener, without_cache(app), utils.NullLogger(), protocol=SwiftHttpProtocol,
                   capitalize_response_headers=False, socket_timeout=60)

os.mkdir(folder + '/device')
for name in ('account', 'container', 'object'):
    listener = eventlet.listen(('127.0.0.1', 0))
    builder = RingBuilder(1, 1, 0)
    builder.add_dev({'id': 0, 'region': 1, 'zone': 1, 'weight': 1, 'device': 'device',
                     'ip': '127.0.0.1', 'port': listener.getsockname()[1]})
    builder.rebalance()
    builder.get_ring().save('%s/%s.ring.gz' % (folder, name))
    serve(name + '-server', listener, '', 'container_update_timeout = 60\\n')

listener = eventlet.listen((host, int(port)))
serve('proxy-server', listener, 'catch_errors gatekeeper listing_formats s3api tempauth bulk slo', 'account_autocreate = true\\n')
print(listener.getsockname()[1], flush=True)

def end_with_parent():
    sys.stdin.read()
    os._exit(0)

threading.Thread(target=end_with_parent, daemon=True).start()
while True:
    eventlet.sleep(3600)
`

const testAccessKey = 'test:tester'
const testSecret = 'testing'

export const accessTo = (endpoint: string): Omit<S3Server, 'stop'> => ({
  endpoint,
  region: 'us-east-1',
  accessKeyId: testAccessKey,
  secretAccessKey: testSecret,
  bucket: 'media',
})

/** Settings of a product whose media is in this store. */
export const s3Settings = (s3: Omit<S3Server, 'stop'>): Record<string, string> => ({
  ZOETROPE_STORAGE: 's3',
  S3_BUCKET: s3.bucket,
  S3_ENDPOINT: s3.endpoint,
  S3_REGION: s3.region,
  S3_ACCESS_KEY_ID: s3.accessKeyId,
  S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
})

/** Command that serves S3 at this address, any free port with 0. It prints its port when it is ready. */
export const swiftCommand = (folder: string, host: string, port: number): [string, ...string[]] => [
  pythonPath,
  ...['-c', swiftProgram, folder, testAccessKey, testSecret, host, String(port)],
]

/** Starts an S3 server with an empty bucket in about a second, or returns why this machine has none. */
export const startS3Server = async (): Promise<S3Server | { readonly unavailable: string }> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'zoetrope-s3-'))
  const [program, ...words] = swiftCommand(folder, '127.0.0.1', 0)
  const child = spawn(program, words)
  const errorText = text(child.stderr)
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null))
    child.once('exit', (code) => resolve(code ?? -1))
  })
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  const portLine = once(createInterface(child.stdout), 'line').then(([line]) => String(line))
  const outcome = await Promise.race([portLine, ended])
  if (typeof outcome === 'number' || outcome === null) {
    await stop()
    if (outcome === missingModuleExitCode || outcome === null)
      return { unavailable: 'there is no S3 server on this machine: apt-get install python3-swift' }
    throw new Error(`Swift did not start (exit code ${String(outcome)}): ${await errorText}`)
  }
  const server = { ...accessTo(`http://127.0.0.1:${outcome}`), stop }
  await createBucket(server).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return server
}

const createBucket = async (server: S3Server): Promise<void> => {
  const { endpoint, region, accessKeyId, secretAccessKey, bucket } = server
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
  })
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  client.destroy()
}
