/** Perl and its libraries: the attacker has an interpreter, which is more than a fault in ffmpeg gives. */
export const interpreter = ['/usr/bin', '/bin', '/usr/share/perl', '/etc/perl']

/** What the program tries to reach. */
export interface AttackAims {
  readonly secret: string
  readonly outside: string
  readonly library: string
  readonly unixSocket: string
  readonly tcpPort: number
  readonly serverId: number
  readonly mostForks: number
  /** Descriptor for the lines `name=result`. */
  readonly report: number
  readonly prefix?: string
}

const quoted = (value: string | number): string => `'${String(value).replaceAll(/[\\']/g, String.raw`\$&`)}'`

/**
 * Returns a Perl program that writes a line `name=result` for each attempt, where `refused` is what we want. The system calls
 * are those of x86-64.
 */
export const attackProgram = (aims: AttackAims): string => `
use Socket;
my ($secret, $outside, $library, $unix) = (${[aims.secret, aims.outside, aims.library, aims.unixSocket].map(quoted).join(', ')});
my ($port, $server, $mostForks, $report) = (${[aims.tcpPort, aims.serverId, aims.mostForks, aims.report].map(quoted).join(', ')});
open(my $reports, '>&=', $report) or die "report: $!";
select($reports);
$| = 1;
sub report { print "${aims.prefix ?? ''}$_[0]=", ($_[1] ? 'done' : 'refused'), "\\n" }
my ($environment, $local, $stream, $datagram);
report('read the key', open(my $f, '<', $secret));
report('read /etc/passwd', open(my $p, '<', '/etc/passwd'));
report('read the environment of the server', open($environment, '<', "/proc/$server/environ") && defined(readline($environment)));
report('see other processes', scalar(grep { $_ != $$ } grep { /^[0-9]+$/ } map { s{.*/}{}r } glob('/proc/[0-9]*')));
report('signal the server', kill(0, $server));
report('trace the server', syscall(101, 0x4206, $server + 0, 0, 0) == 0);
report('read the memory of the server', open(my $m, '<', "/proc/$server/mem"));
report('write outside', open(my $o, '>', $outside));
report('write a library', open(my $l, '>', $library));
report('link to the key', symlink($secret, 'link'));
report('connect to PostgreSQL', socket($local, PF_UNIX, SOCK_STREAM, 0) && connect($local, sockaddr_un($unix)));
report('connect to loopback', socket($stream, PF_INET, SOCK_STREAM, 0) && connect($stream, sockaddr_in($port, inet_aton('127.0.0.1'))));
report('send to 169.254.169.254', socket($datagram, PF_INET, SOCK_DGRAM, 0) && send($datagram, 'x', 0, sockaddr_in(80, inet_aton('169.254.169.254'))));
report('take 10 GB of memory', syscall(9, 0, 10_000_000_000, 3, 0x4022, -1, 0) != -1);
my @children;
for (1 .. $mostForks) {
  my $child = fork();
  last unless defined $child;
  if ($child == 0) { sleep 60; exit 0 }
  push @children, $child;
}
report("fork $mostForks times", @children == $mostForks);
kill('KILL', @children);
report('write to the work folder', open(my $w, '>', 'result'));
`

const attempts = [
  ...['read the key', 'read /etc/passwd', 'read the environment of the server', 'see other processes'],
  ...['signal the server', 'trace the server', 'read the memory of the server'],
  ...['write outside', 'write a library', 'link to the key', 'connect to PostgreSQL', 'connect to loopback'],
  ...['send to 169.254.169.254', 'take 10 GB of memory', 'fork 10000 times'],
]

/** The results of a program that achieves nothing. */
export const harmless: Readonly<Record<string, string>> = {
  ...Object.fromEntries(attempts.map((name) => [name, 'refused'])),
  'write to the work folder': 'done',
}

export const attackResults = (report: string): Record<string, string> =>
  Object.fromEntries(
    report
      .trim()
      .split('\n')
      .map((line): [string, string] => line.split('=') as [string, string]),
  )
