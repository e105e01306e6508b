/** One option of mpiexec. The parser, the help text and the suggestions all read this table. */
export interface OptionEntry {
  readonly name: string
  readonly short?: string
  /** How help names the value; absent for a switch. */
  readonly value?: string
  /** How help names a value that may be left out, and may be the next word. */
  readonly topicValue?: string
  /** `program` options may be given again in each section of an MPMD line. */
  readonly scope: 'job' | 'program'
  readonly topic:
    'ranks' | 'output' | 'fabric' | 'limits' | 'collectives' | 'order' | 'checks' | 'about'
  readonly help: string
}

export const OPTIONS = [
  {
    name: 'n',
    short: 'n',
    value: 'RANKS',
    scope: 'program',
    topic: 'ranks',
    help: 'ranks to start (also -np); default: one per core',
  },
  {
    name: 'env',
    value: 'NAME=VALUE',
    scope: 'program',
    topic: 'ranks',
    help: 'set an environment variable in the ranks; repeatable',
  },
  {
    name: 'in-process',
    scope: 'job',
    topic: 'ranks',
    help: 'ranks are coroutines on one thread: i-forms with await only, deterministic',
  },
  {
    name: 'fabric',
    value: 'FILE',
    scope: 'job',
    topic: 'fabric',
    help: 'virtual time on a cluster (YAML) or a network such as hdr; --in-process or --serial',
  },
  {
    name: 'ppn',
    value: 'RANKS',
    scope: 'job',
    topic: 'fabric',
    help: "ranks per host; default: the file's, else 1",
  },
  {
    name: 'placement',
    value: 'WAY',
    scope: 'job',
    topic: 'fabric',
    help: 'block (neighbours share a host) or round-robin',
  },
  {
    name: 'links',
    value: 'FILE',
    scope: 'job',
    topic: 'fabric',
    help: 'write what each link and interface carried, as JSON',
  },
  {
    name: 'report',
    value: 'FILE',
    scope: 'job',
    topic: 'fabric',
    help: 'write a page with topology, load and timeline, as HTML',
  },
  {
    name: 'goal',
    value: 'FILE',
    scope: 'job',
    topic: 'fabric',
    help: 'record the run as a GOAL schedule, to be replayed on other fabrics',
  },
  {
    name: 'digest',
    scope: 'job',
    topic: 'fabric',
    help: 'print a hash of the event log: equal runs have equal ones',
  },
  {
    name: 'compute-scale',
    value: 'FACTOR',
    scope: 'job',
    topic: 'fabric',
    help: 'computing takes measured time times this; not reproducible; with --serial',
  },
  {
    name: 'expect',
    value: 'SECONDS',
    scope: 'job',
    topic: 'fabric',
    help: 'virtual time that the run will take, for an estimate of what is left of it',
  },
  {
    name: 'timing-only',
    scope: 'job',
    topic: 'fabric',
    help: 'typed arrays have lengths and no content: for more data than there is memory',
  },
  {
    name: 'prefix',
    scope: 'job',
    topic: 'output',
    help: 'label each line of output with its rank',
  },
  {
    name: 'stats',
    scope: 'job',
    topic: 'output',
    help: 'print messages, bytes and copies per rank at the end',
  },
  {
    name: 'pcap',
    value: 'FILE',
    scope: 'job',
    topic: 'output',
    help: 'write what crosses the fabric as InfiniBand packets, for Wireshark',
  },
  {
    name: 'timeout',
    value: 'SECONDS',
    scope: 'job',
    topic: 'limits',
    help: 'end the job after this time and say where each rank is (exit status 124)',
  },
  {
    name: 'memory',
    value: 'SIZE',
    scope: 'job',
    topic: 'limits',
    help: 'memory of the world, for alloc and messages; default 4GiB',
  },
  {
    name: 'heap',
    value: 'SIZE',
    scope: 'job',
    topic: 'limits',
    help: "each rank's JavaScript heap",
  },
  {
    name: 'eager-limit',
    value: 'SIZE',
    scope: 'job',
    topic: 'limits',
    help: 'larger messages wait for their receiver; 0 makes every send wait',
  },
  {
    name: 'algorithm',
    value: 'LIST',
    scope: 'job',
    topic: 'collectives',
    help: 'algorithms by name: allreduce=ring,bcast=binomial-tree:4; repeatable',
  },
  {
    name: 'serial',
    scope: 'job',
    topic: 'order',
    help: 'one rank runs at a time, in an order that the seed decides',
  },
  {
    name: 'seed',
    value: 'NUMBER',
    scope: 'job',
    topic: 'order',
    help: 'seed of all choices; with --serial or --in-process',
  },
  {
    name: 'choices',
    value: 'LIST',
    scope: 'job',
    topic: 'order',
    help: 'replay: fixed choices such as 14=1; with --serial or --in-process',
  },
  {
    name: 'faults',
    value: 'LIST',
    scope: 'job',
    topic: 'order',
    help: 'what may go wrong in the network, such as loss,crash; with --in-process',
  },
  { name: 'strict', scope: 'job', topic: 'checks', help: 'a hazard fails the run (exit status 3)' },
  {
    name: 'strict-zero-copy',
    scope: 'job',
    topic: 'checks',
    help: 'a large message that must be copied twice is an error',
  },
  {
    name: 'sites',
    scope: 'job',
    topic: 'checks',
    help: 'record where every request was made (slower)',
  },
  {
    name: 'info',
    topicValue: 'TOPIC',
    scope: 'job',
    topic: 'about',
    help: 'print versions and limits; --info coll: algorithms, and which serves what',
  },
  { name: 'version', scope: 'job', topic: 'about', help: 'print the version' },
  { name: 'help', short: 'h', scope: 'job', topic: 'about', help: 'print this' },
] as const satisfies readonly OptionEntry[]

export type OptionName = (typeof OPTIONS)[number]['name']

/** How the option is typed: `-n`, `--prefix`. */
export function spelling(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`
}
