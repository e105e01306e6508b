import { parseArgs } from 'node:util'
import { ALL_SIZES, TESTS } from './tests.mjs'

const HELP = `usage: npm run perftest -- TEST [options]
  TEST                 ${Object.keys(TESTS).join(', ')}
  -s, --size BYTES     length of messages (default 2 for latency, 65536 for bandwidth)
  -a, --all            all lengths from 2 to 2^23
  -n, --iters COUNT    messages of each length (default 1000, write_bw 5000)
  -t, --tx-depth COUNT requests under way, for bandwidth (default 128)
  -m, --mtu BYTES      path MTU (default 4096)
  -I, --inline_size BYTES  longest message that is sent inline
  --report_gbits       bandwidth in Gb/sec in place of MiB/sec
  --pcap FILE          capture the packets (slow, and for looking, not for measuring)`

/** What the command line asks for; ends the process on a mistake. */
export function readOptions(argv) {
  const { values, positionals } = parse(argv)
  if (values.help) {
    console.log(HELP)
    process.exit(0)
  }
  const [name] = positionals
  const test = TESTS[name]
  if (test === undefined || positionals.length > 1) refuse(`which test? ${positionals.join(' ')}`)
  const number = (option, least, otherwise) => {
    const value = Number(values[option] ?? otherwise)
    if (!Number.isInteger(value) || value < least) refuse(`--${option} ${values[option]}`)
    return value
  }
  const bytes = number('size', 1, test.bytes)
  if (test.onlyBytes && (values.all || bytes !== test.onlyBytes)) {
    refuse(`${name} works on ${test.onlyBytes} bytes`)
  }
  return {
    name,
    sizes: values.all ? ALL_SIZES : [bytes],
    iterations: number('iters', 5, test.iterations),
    depth: test.kind === 'latency' ? 1 : number('tx-depth', 1, 128),
    mtuBytes: number('mtu', 256, 4096),
    inlineBytes: number('inline_size', 0, test.inline),
    gigabits: values.report_gbits ?? false,
    pcap: values.pcap,
  }
}

function parse(args) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        size: { type: 'string', short: 's' },
        all: { type: 'boolean', short: 'a' },
        iters: { type: 'string', short: 'n' },
        'tx-depth': { type: 'string', short: 't' },
        mtu: { type: 'string', short: 'm' },
        inline_size: { type: 'string', short: 'I' },
        report_gbits: { type: 'boolean' },
        pcap: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    return refuse(error.message)
  }
}

function refuse(what) {
  console.error(`perftest: ${what}\n${HELP}`)
  process.exit(1)
}
