import { TableRouting } from '../routing/table-routing.js'
import type { Topology } from '../topology/topology.js'
import { plainGuid } from './guid.js'
import { ImportError, shortened } from './import-error.js'

const HEADER = /^(?:Unicast lids\b.*\bof switch|\w*dump_ucast_routes:\s*Switch)\b(.*)$/i
const ROW = /^(0x[0-9a-f]+|\d+)\s*:?\s+(\d+|UNREACHABLE)\s*([:#].*|\(.*)?$/i
const REMARK =
  /^(#|Lid\s+Out|Port\s+Info|LID\s*:|Destination|\d+ valid lids dumped|\d+ lids dumped|PLFT_NUM:\s*0\b)/i
const NO_PORT = 255

/**
 * Forwarding tables as `ibroute`, `dump_lfts` and OpenSM (`opensm-lfts.dump`) write them:
 *
 * ```
 *   Unicast lids [0x0-0x10] of switch Lid 4 guid 0x0000000000200002 (leaf-r1):
 *     Lid  Out   Destination
 *          Port     Info
 *   0x0001 030 : (Channel Adapter portguid 0x0000000000100001: 'node1 HCA-1')
 * ```
 *
 * Or as OpenSM and `ibdiagnet` write them to files `.fdbs`:
 *
 * ```
 *   osm_ucast_mgr_dump_ucast_routes: Switch 0x0000000000200002
 *   LID    : Port : Hops : Optimal
 *   0x0001 : 030  : 01   : yes
 * ```
 *
 * Switches are found by guid, else by name, else by local identifier; hosts by local identifier. What a table does not
 * say stays a hole, which `checkRouting` reports.
 *
 * @throws ImportError with the line
 */
export function parseForwardingTables(
  topology: Topology,
  text: string,
  file = 'tables',
): TableRouting {
  const { hosts, switches } = topology
  const places = new Places(topology, file)
  const next = new Int32Array(switches * hosts).fill(-1)
  const headers = new Map<number, number>()
  let node = -1
  text.split(/\r?\n/).forEach((raw, index) => {
    const line = index + 1
    const content = raw.trim()
    if (content === '' || REMARK.test(content)) return
    const header = HEADER.exec(content)
    if (header !== null) {
      node = places.switchOf(header[1]!, line)
      if (headers.has(node)) {
        throw new ImportError(
          file,
          line,
          `${topology.nameOf(node)} has a table on line ${headers.get(node)} already`,
        )
      }
      headers.set(node, line)
      return
    }
    const row = ROW.exec(content)
    if (row === null) {
      throw new ImportError(
        file,
        line,
        `a row is written LID PORT : (destination), not ${shortened(content)}`,
      )
    }
    if (node < 0) throw new ImportError(file, line, 'a row before the first switch')
    const host = places.hostOf(Number(row[1]))
    const port = /^\d+$/.test(row[2]!) ? Number(row[2]) : NO_PORT
    if (host < 0 || port === NO_PORT) return
    next[(node - hosts) * hosts + host] = places.linkOf(node, port, line)
  })
  if (headers.size === 0) throw new ImportError(file, 0, 'there are no tables (Unicast lids) in it')
  return new TableRouting(topology, file.replace(/^.*[\\/]/, ''), next)
}

/**
 * The tables of the OMNeT++ InfiniBand model (`.fdbs`): a line for each switch, in their order, with
 * the port for each local identifier from 0. Ports are counted from 0, hosts have identifiers from 1.
 *
 * ```
 *   0: 255 0 1 2 3 18 19
 * ```
 *
 * @throws ImportError with the line
 */
export function parseFdbs(topology: Topology, text: string, file = 'tables.fdbs'): TableRouting {
  const { hosts, switches } = topology
  const places = new Places(topology, file)
  const next = new Int32Array(switches * hosts).fill(-1)
  let tables = 0
  text.split(/\r?\n/).forEach((raw, index) => {
    const line = index + 1
    const content = raw.trim()
    if (content === '' || content.startsWith('#')) return
    const match = /^(\d+)\s*:((?:\s+\d+)+)$/.exec(content)
    if (match === null) {
      throw new ImportError(
        file,
        line,
        `a table is written INDEX: PORT PORT .., not ${shortened(content)}`,
      )
    }
    const at = Number(match[1])
    if (at >= switches) {
      throw new ImportError(file, line, `there are ${switches} switches, and none of number ${at}`)
    }
    const ports = match[2]!.trim().split(/\s+/).map(Number)
    if (ports.length !== hosts + 1) {
      throw new ImportError(file, line, `${ports.length} ports for ${hosts} hosts, and one for 0`)
    }
    for (let host = 0; host < hosts; host++) {
      const port = ports[host + 1]!
      if (port !== NO_PORT) {
        next[at * hosts + host] = places.linkOf(hosts + at, port + 1, line)
      }
    }
    tables++
  })
  if (tables === 0) throw new ImportError(file, 0, 'there are no tables in it')
  return new TableRouting(topology, file.replace(/^.*[\\/]/, ''), next)
}

/** Finds what tables name. */
class Places {
  readonly #topology: Topology
  readonly #file: string
  readonly #byGuid = new Map<string, number>()
  readonly #byLid = new Map<number, number>()
  /** By names that no other has. */
  readonly #switches = new Map<string, number>()

  constructor(topology: Topology, file: string) {
    this.#topology = topology
    this.#file = file
    const twice = new Set<string>()
    for (let node = topology.hosts; node < topology.nodes; node++) {
      const name = topology.nameOf(node)
      if (this.#switches.has(name)) twice.add(name)
      this.#switches.set(name, node)
    }
    for (const name of twice) this.#switches.delete(name)
    for (let node = 0; node < topology.nodes; node++) {
      const guid = topology.guidOf(node)
      if (guid) this.#byGuid.set(guid, node)
      // Generated topologies count from 1, hosts first.
      const lid = topology.localIdentifier?.[node] ?? node + 1
      if (lid > 0) this.#byLid.set(lid, node)
    }
  }

  switchOf(words: string, line: number): number {
    const guid = /(?:\bguid|^)\s*(0x[0-9a-f]+)/i.exec(words)?.[1]
    const lid = /\blid (\d+)/i.exec(words)?.[1]
    const name = /\((.*)\)/.exec(words)?.[1]?.replace(/^['"](.*)['"]$/, '$1')
    const node =
      (guid === undefined ? undefined : this.#byGuid.get(plainGuid(guid))) ??
      (name === undefined ? undefined : this.#switches.get(name)) ??
      (lid === undefined ? undefined : this.#byLid.get(Number(lid)))
    if (node !== undefined && node >= this.#topology.hosts) return node
    const what = guid ?? (lid === undefined ? 'without guid and lid' : `lid ${lid}`)
    const reason = `${this.#topology.name} has no switch ${what}`
    throw new ImportError(this.#file, line, reason)
  }

  /** -1 for what is no host: switches have identifiers as well. */
  hostOf(lid: number): number {
    const node = this.#byLid.get(lid)
    return node !== undefined && node < this.#topology.hosts ? node : -1
  }

  /** Port 0 of a switch is the switch itself. */
  linkOf(node: number, port: number, line: number): number {
    if (port === 0) return -1
    const link = this.#topology.linkAt(node, port)
    if (link >= 0) return link
    const reason = `port ${port} of ${this.#topology.nameOf(node)} has no cable`
    throw new ImportError(this.#file, line, reason)
  }
}
