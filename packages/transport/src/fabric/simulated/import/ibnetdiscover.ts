import type { Topology } from '../topology/topology.js'
import { connectFound, type FoundNode } from './discovered-fabric.js'
import { plainGuid } from './guid.js'
import { ImportError, shortened } from './import-error.js'
import { gigabitsIn, laneGigabits } from './link-speed.js'
import { isPortList, parsePortList } from './port-list.js'
import { isSubnetList, parseSubnetList } from './subnet-list.js'

const RECORD = /^(Switch|Ca|Hca|Rt|Router)\s+(\d+)\s+"([^"]*)"(.*)$/i
/** In netlists of `ibsim` the peer's port may be left out: it is the first. */
const PORT =
  /^\[(\d+)\](?:\[ext \d+\])?(?:\(([0-9a-f]+)\))?\s+"([^"]+)"\s*(?:\[(\d+)\])?(?:\[ext \d+\])?(?:\([0-9a-f]+\))?(.*)$/i
/** What `ibnetdiscover` and netlists have above and between records. */
const REMARK =
  /^(#|vendid=|devid=|sysimgguid=|switchguids?[=+]|caguids?[=+]|hcaguids?[=+]|rtguids?[=+]|nodeguid=|portguid=|DR path|Chassis|Non-Chassis|Spine|Line|Hostname|pdebug|module\b|do\s)/i
/** Of a netlist: widths and speeds of the ports below that do not say their own. */
const SETTING = /^(width|speed)\s*=\s*(\d+)/
const ELSEWHERE = /^(include\b|@)/

/**
 * The topology file of `ibnetdiscover` (infiniband-diags), its list of ports (`-p`), or a netlist of
 * `ibsim`, which has the same records:
 *
 * ```
 *   Switch 36 "S-0002c90200400e30"   # "leaf 1" enhanced port 0 lid 3 lmc 0
 *   [1] "H-7cfe900300e1a820"[1]      # "node1 HCA-1" lid 5 4xHDR
 *
 *   Ca 1 "H-7cfe900300e1a820"        # "node1 HCA-1"
 *   [1](7cfe900300e1a821) "S-0002c90200400e30"[1]   # lid 5 lmc 0 "leaf 1" lid 3 4xHDR
 * ```
 *
 * Also `opensm-subnet.lst`, which OpenSM writes.
 *
 * @param adapters words that the names of adapters must hold: of nodes with several of them, or of several planes, one
 * @throws ImportError with the line
 */
export function parseIbnetdiscover(text: string, file = 'topology', adapters?: string): Topology {
  if (isPortList(text)) return parsePortList(text, file, adapters)
  if (isSubnetList(text)) return parseSubnetList(text, file, adapters)
  const nodes = new Map<string, FoundNode>()
  let node: FoundNode | undefined
  let ports = 0
  const lanes = { width: 0, speed: 0 }
  text.split(/\r?\n/).forEach((raw, index) => {
    const line = index + 1
    const content = raw.trim()
    if (content === '' || REMARK.test(content)) return
    if (ELSEWHERE.test(content)) {
      const reason = 'what other files and aliases say must stand in this file'
      throw new ImportError(file, line, `${shortened(content)}: ${reason}`)
    }
    const setting = SETTING.exec(content)
    if (setting !== null) {
      lanes[setting[1] as 'width' | 'speed'] = Number(setting[2])
      return
    }
    const record = RECORD.exec(content)
    if (record !== null) {
      node = newNode(file, line, record)
      ports = Number(record[2])
      const before = nodes.get(node.id)
      if (before !== undefined) {
        throw new ImportError(
          file,
          line,
          `"${node.id}" has a record on line ${before.line} already`,
        )
      }
      nodes.set(node.id, node)
    } else if (content.startsWith('[')) {
      if (node === undefined) throw new ImportError(file, line, 'a port before the first record')
      addPort(file, line, content, node, ports, lanes)
    } else {
      throw new ImportError(
        file,
        line,
        `neither a record (Switch, Ca, Rt), a port nor a remark: ${shortened(content)}`,
      )
    }
  })
  if (nodes.size === 0) throw new ImportError(file, 0, 'there are no records (Switch, Ca) in it')
  return connectFound(file, nodes, adapters)
}

function newNode(file: string, line: number, record: RegExpExecArray): FoundNode {
  const [, kind = '', , id = '', rest = ''] = record
  if (id === '') throw new ImportError(file, line, 'a record needs a name between quotes')
  const name = kind.toLowerCase()
  const found = name === 'switch' ? 'switch' : name.startsWith('r') ? 'router' : 'host'
  // A name may hold quotes itself.
  const remark = /#\s*"(.*)"([^"]*)$/.exec(rest)
  const guid = /^[SHR]-([0-9a-f]+)$/i.exec(id)?.[1]
  return {
    id,
    kind: found,
    line,
    description: remark?.[1] ?? '',
    guid: guid === undefined ? undefined : plainGuid(guid),
    localIdentifier: Number(/\blid (\d+)/.exec(remark?.[2] ?? '')?.[1] ?? 0),
    ports: new Map(),
  }
}

function addPort(
  file: string,
  line: number,
  content: string,
  node: FoundNode,
  most: number,
  lanes: Lanes,
): void {
  const match = PORT.exec(content)
  if (match === null) {
    const wanted = '[port] "peer"[its port]'
    throw new ImportError(file, line, `a port is written ${wanted}, not ${shortened(content)}`)
  }
  const [, number = '', , peer = '', peerPort = '', rest = ''] = match
  const port = Number(number)
  // A switch's own: management.
  if (port === 0 && node.kind === 'switch') return
  if (port < 1 || port > most) {
    throw new ImportError(file, line, `"${node.id}" has ports 1 to ${most}, not ${port}`)
  }
  const before = node.ports.get(port)
  if (before !== undefined) {
    throw new ImportError(
      file,
      line,
      `port ${port} of "${node.id}" is on line ${before.line} already`,
    )
  }
  // Of an adapter the port's own lid comes first, then the peer's; of a switch there is the peer's alone.
  const own = node.kind === 'host' ? Number(/^\s*#\s*lid (\d+)/.exec(rest)?.[1] ?? 0) : 0
  if (own !== 0 && node.localIdentifier === 0) node.localIdentifier = own
  node.ports.set(port, {
    line,
    port,
    peer,
    peerPort: Number(peerPort || 1),
    gigabits: gigabitsIn(rest.replace(/".*"/g, '')) || netlistGigabits(rest, lanes),
    peerIdentifier: Number(/^\s*#\s*".*"\s*lid (\d+)/.exec(rest)?.[1] ?? 0),
  })
}

interface Lanes {
  readonly width: number
  readonly speed: number
}

/** Widths and speeds as `ibsim` numbers them: bits, of which the highest counts. */
const WIDTHS = ['1x', '4x', '8x', '12x']
const SPEEDS = ['SDR', 'DDR', 'QDR']

/** Data rate of `w=2 s=4`, or of what stands above; 0 when neither says. */
function netlistGigabits(text: string, lanes: Lanes): number {
  const of = (key: string, usual: number): number =>
    Number(new RegExp(`\\b${key}\\s*=\\s*(\\d+)`).exec(text)?.[1] ?? usual)
  const [width, speed] = [of('w', lanes.width), of('s', lanes.speed)]
  if (width === 0 && speed === 0) return 0
  return laneGigabits(WIDTHS[highest(width || 2)] ?? '', SPEEDS[highest(speed || 1)] ?? '')
}

function highest(bits: number): number {
  return 31 - Math.clz32(bits)
}
