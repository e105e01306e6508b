import { mutantsOf } from '../mutant.js'

const execution = mutantsOf('packages/mpi/src/coll/plan/execution.ts', 'collectives')
const hazards = mutantsOf('packages/mpi/src/coll/plan/hazards.ts', 'collectives')
const memory = mutantsOf('packages/mpi/src/coll/plan/memory-blocks.ts', 'collectives')
const maps = mutantsOf('packages/mpi/src/coll/plan/block-map.ts', 'collectives')
const cache = mutantsOf('packages/mpi/src/coll/plan/schedule-cache.ts', 'collectives')
const schedule = mutantsOf('packages/mpi/src/coll/plan/schedule.ts', 'collectives')
const board = mutantsOf('packages/mpi/src/device/board.ts', 'collectives')
const calls = mutantsOf('packages/mpi/src/engine/collectives/collectives.ts', 'collectives')
const select = mutantsOf('packages/mpi/src/coll/select/select.ts', 'collectives')

/** Faults in how schedules are made, chosen and carried out. */
export const collectiveMutants = [
  execution(
    'signals of all collectives have one tag',
    'return this.number & 0x3fffffff',
    'return 0',
  ),
  memory(
    'messages of all collectives have one tag',
    'return this.#number & 0x3fffffff',
    'return 0',
  ),
  execution(
    'a block is received into while it is sent',
    'if (hazards?.mayWrite(buffer, index, count) === false) return false\n        this.keep(blocks.receive(',
    'this.keep(blocks.receive(',
  ),
  execution(
    'a block is folded into while it is sent',
    'if (hazards?.mayWrite(buffer, index, count) === false) return false\n        this.keep(blocks.receiveAside(',
    'this.keep(blocks.receiveAside(',
  ),
  execution(
    'a block is sent while it is received',
    'if (this.sendsOpen >= SENDS_MAX || hazards?.mayRead(buffer, index, count) === false)\n          return false',
    'if (this.sendsOpen >= SENDS_MAX) return false',
  ),
  execution(
    'a block is copied while it is received',
    'return hazards.mayRead(from, index, count) && hazards.mayWrite(to, toIndex, count)',
    'return hazards.mayWrite(to, toIndex, count)',
  ),
  execution(
    'a block is copied to while it is sent',
    'return hazards.mayRead(from, index, count) && hazards.mayWrite(to, toIndex, count)',
    'return hazards.mayRead(from, index, count)',
  ),
  execution(
    'nobody waits for signals',
    'if (this.awaited > 0 && op !== Op.await) return false',
    '',
  ),
  execution(
    'a fence does not wait',
    'case Op.fence:\n        if (this.pending.length > 0) return false\n        break',
    'case Op.fence:\n        break',
    'pairwise uses its fence to keep few messages under way: hazards order what must be ordered',
  ),
  execution(
    'a rank publishes what is still under way',
    'case Op.publish:\n        if (this.pending.length > 0) return false',
    'case Op.publish:',
    'algorithms that publish send no messages, so nothing is ever under way',
  ),
  execution(
    'the rank that folds for all does not wait for the last',
    'if (this.arrived < size) return false',
    'if (this.arrived < size - 1) return false',
  ),
  execution(
    'a collective is complete while its last messages are under way',
    '} else if (this.pending.length === 0) {',
    '} else if (this.pending.length <= 1) {',
  ),
  execution(
    'what is received aside is not folded',
    'this.blocks.foldReceived(request, buffer, index, count, side as Side)',
    'this.blocks.foldReceived(request, buffer, index, 0, side as Side)',
  ),
  execution(
    'the entry on the board is taken though others still read it',
    'if (!board.mayPublish(this.number)) return this.watch()',
    '',
  ),
  hazards(
    'only the first block of a range is guarded',
    'for (let i = index; i < index + count; i++) busy[i]! += by',
    'if (count > 0) busy[index]! += by',
  ),
  hazards(
    'a block that two operations read is free after the first',
    'this.#change(buffer, index, count, reads ? -1 : 1)',
    'this.#busy[buffer]!.fill(0, index, index + count)',
  ),
  memory(
    'the operand that comes in is always the higher one',
    'else if (side === LOWER) kernel(target, source, target, count)',
    'else if (side === LOWER) kernel(target, target, source, count)',
  ),
  memory('a function folds into the wrong operand', 'own.set(incoming as never)', ''),
  memory(
    'blocks that were folded aside are never given back',
    'this.#messages.staging.free(address)',
    '',
  ),
  memory(
    'scratch is never given back',
    'if (addresses[TMP] !== 0) staging.free(addresses[TMP]!)',
    '',
  ),
  memory(
    'a block of a peer is taken from its beginning',
    'return index === 0 ? address : address + this.#layout.shape.start(index)',
    'return address',
  ),
  memory(
    'tables of blocks say where the first one lies',
    'return address + (i32[entry]! >>> 0)',
    'return address + (i32[table >>> 2]! >>> 0)',
  ),
  memory(
    'a peer reaches into the slot of another collective',
    ': board.slotOf(peer, this.#number)',
    ': board.slotOf(peer, this.#number + 1)',
  ),
  maps(
    'blocks are cut as if counts were even',
    'return Math.floor((block * this.#items) / this.blocks) * this.#itemBytes',
    'return block * Math.floor(this.#items / this.blocks) * this.#itemBytes',
  ),
  maps(
    'the last block is as long as the first',
    'return this.start(block + count) - this.start(block)',
    'return count * (this.start(1) - this.start(0))',
  ),
  maps(
    'a range of blocks is as long as its first',
    'for (let i = block; i < block + count; i++) bytes += this.#lengths[i]!',
    'if (count > 0) bytes = this.#lengths[block]! * count',
  ),
  cache('a schedule serves another root', 'a.root === b.root &&', ''),
  cache('a schedule serves another number of blocks', 'a.blocks === b.blocks &&', ''),
  cache('a schedule serves another rank', 'a.rank === b.rank &&', ''),
  cache('a schedule serves calls in place and not', 'schedule.inPlace === inPlace &&', ''),
  schedule(
    'a range that wraps around loses its second part',
    'if (count > whole) this.#ranged(op, peer, buffer, 0, count - whole, side)',
    '',
  ),
  schedule(
    'blocks moved within memory wrap at one side only',
    'const piece = Math.min(count - done, fromBlocks - at, toBlocks - toAt)',
    'const piece = Math.min(count - done, fromBlocks - at)',
  ),
  schedule(
    'in place the input begins at the first block',
    'return { part: IN, of: OUT, first: rank }',
    'return { part: IN, of: OUT, first: 0 }',
  ),
  schedule(
    'in place a scatter keeps the first block',
    'return { part: OUT, of: IN, first: root }',
    'return { part: OUT, of: IN, first: 0 }',
  ),
  schedule(
    'all ranks of a gather are in place',
    'if (collectives[collective].rooted && rank !== root) return undefined',
    "if (collective !== 'gather' && collectives[collective].rooted && rank !== root) return undefined",
  ),
  board(
    'an entry is taken again one collective too early',
    'const needed = number - KEPT + 1\n    if (this.#completedByAll',
    'const needed = number - KEPT\n    if (this.#completedByAll',
  ),
  board(
    'a slot serves two collectives in a row',
    'this.#lineOf(rank) + ENTRIES + (number % KEPT) * (LINE_BYTES + this.slotBytes)',
    'this.#lineOf(rank) + ENTRIES + ((number >>> 1) % KEPT) * (LINE_BYTES + this.slotBytes)',
  ),
  board(
    'a stage of the collective before counts as published',
    'return ((seen - stageWord(number, stage)) | 0) >= 0',
    'return ((seen - stageWord(number - 1, stage)) | 0) >= 0',
  ),
  board(
    'a collective that was completed out of order is forgotten',
    'this.#completedEarly.add(number)\n',
    '\n',
  ),
  board(
    'two ranks run what one should',
    'if (seen === mark || Atomics.compareExchange(i32, word, seen, mark) !== seen) return false',
    'if (seen === mark) return false\n    Atomics.store(i32, word, mark)',
  ),
  board(
    'nobody is woken when an entry is free again',
    'if (this.#memory.kernels.acquire(this.#address + WAITERS) !== 0) {',
    'if (this.#memory.kernels.acquire(this.#address + WAITERS) > 99) {',
  ),
  calls(
    'the array of a persistent collective is looked at once',
    'return new PersistentRequest(`${operation.name}Init`, () =>\n      hand(this.#rank, this.#startMemory(on, operation, given, op, options, form)),\n    )',
    "const held = { ...given }\n    const copies = Object.entries(held).map(([name, one]) => [name, ArrayBuffer.isView(one) && name.startsWith('send') ? (one as Uint8Array).slice() : one])\n    const once = Object.fromEntries(copies) as MemoryArguments\n    return new PersistentRequest(`${operation.name}Init`, () =>\n      hand(this.#rank, this.#startMemory(on, operation, once, op, options, form)),\n    )",
  ),
  calls(
    'the second start of a persistent collective is the first again',
    'return new PersistentRequest(`${operation.name}Init`, () =>\n      hand(this.#rank, this.#startMemory(on, operation, given, op, options, form)),\n    )',
    'let first: CollectiveRequest<unknown> | undefined\n    return new PersistentRequest(`${operation.name}Init`, () => {\n      first ??= this.#startMemory(on, operation, given, op, options, form)\n      return hand(this.#rank, first)\n    })',
  ),
  calls(
    'each rank chooses by its own number',
    'const choice = select(question, options?.algorithm, this.#named)\n    const slots =\n',
    'const choice = select({ ...question, bytes: question.bytes << (on.rank % 2 === 0 ? 0 : 16), sharedMemory: false }, options?.algorithm, this.#named)\n    const slots =\n',
  ),
  calls(
    'each rank chooses by whether its root is itself',
    'const choice = select(question, options?.algorithm, this.#named)\n    const slots = choice.algorithm',
    'const choice = select({ ...question, sharedMemory: question.sharedMemory && on.rank !== root }, options?.algorithm, this.#named)\n    const slots = choice.algorithm',
  ),
  calls(
    'a call is taken for the one before whatever its reduction',
    'if (call.op !== op || call.form !== form) return false',
    'if (call.form !== form) return false',
  ),
  calls(
    'a call is taken for the one before whatever its root',
    'return options.algorithm === undefined && (options.root ?? 0) === call.root',
    'return options.algorithm === undefined',
  ),
  select(
    'reductions that do not commute go by algorithms that need it',
    'if (rule.commutative === true && !commutative) return false',
    '',
    'what a rule asks for is asked again of the algorithm: `unmet` stands behind the table',
  ),
  select(
    'rules for ranks that share memory serve all',
    'if (rule.shared !== undefined && rule.shared !== sharedMemory) return false',
    '',
    'the same: `unmet` refuses what needs shared memory',
  ),
  select(
    'an algorithm that cannot be used for a call is taken for the world',
    'if (unmet(choice.algorithm, question) === undefined) return choice\n  }\n  return byRules',
    'return choice\n  }\n  return byRules',
  ),
]
