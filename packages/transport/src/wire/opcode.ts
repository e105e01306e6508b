/** What a request asks for, numbered as `ibv_wr_opcode`. */
export type Opcode =
  | 'rdmaWrite'
  | 'rdmaWriteWithImmediate'
  | 'send'
  | 'sendWithImmediate'
  | 'rdmaRead'
  | 'compareAndSwap'
  | 'fetchAndAdd'
  | 'localInvalidate'
  | 'bindWindow'
  | 'sendWithInvalidate'
  | 'flush'
  | 'atomicWrite'

export const RDMA_WRITE = 0
export const RDMA_WRITE_WITH_IMMEDIATE = 1
export const SEND = 2
export const SEND_WITH_IMMEDIATE = 3
export const RDMA_READ = 4
export const COMPARE_AND_SWAP = 5
export const FETCH_AND_ADD = 6
export const LOCAL_INVALIDATE = 7
export const BIND_WINDOW = 8
export const SEND_WITH_INVALIDATE = 9
export const FLUSH = 14
export const ATOMIC_WRITE = 15

/** Number of each opcode. */
export const opcodeNumbers: Readonly<Record<Opcode, number>> = {
  rdmaWrite: RDMA_WRITE,
  rdmaWriteWithImmediate: RDMA_WRITE_WITH_IMMEDIATE,
  send: SEND,
  sendWithImmediate: SEND_WITH_IMMEDIATE,
  rdmaRead: RDMA_READ,
  compareAndSwap: COMPARE_AND_SWAP,
  fetchAndAdd: FETCH_AND_ADD,
  localInvalidate: LOCAL_INVALIDATE,
  bindWindow: BIND_WINDOW,
  sendWithInvalidate: SEND_WITH_INVALIDATE,
  flush: FLUSH,
  atomicWrite: ATOMIC_WRITE,
}

/** What a completion is about, numbered as `ibv_wc_opcode`. */
export type CompletionOpcode =
  | 'send'
  | 'rdmaWrite'
  | 'rdmaRead'
  | 'compareAndSwap'
  | 'fetchAndAdd'
  | 'bindWindow'
  | 'localInvalidate'
  | 'flush'
  | 'atomicWrite'
  | 'receive'
  | 'receiveWithImmediate'

export const COMPLETED_SEND = 0
export const COMPLETED_RDMA_WRITE = 1
export const COMPLETED_RDMA_READ = 2
export const COMPLETED_COMPARE_AND_SWAP = 3
export const COMPLETED_FETCH_AND_ADD = 4
export const COMPLETED_BIND_WINDOW = 5
export const COMPLETED_LOCAL_INVALIDATE = 6
export const COMPLETED_FLUSH = 8
export const COMPLETED_ATOMIC_WRITE = 9
export const COMPLETED_RECEIVE = 128
export const COMPLETED_RECEIVE_RDMA_WITH_IMMEDIATE = 129

const completionOpcodes: Readonly<Record<number, CompletionOpcode>> = {
  [COMPLETED_SEND]: 'send',
  [COMPLETED_RDMA_WRITE]: 'rdmaWrite',
  [COMPLETED_RDMA_READ]: 'rdmaRead',
  [COMPLETED_COMPARE_AND_SWAP]: 'compareAndSwap',
  [COMPLETED_FETCH_AND_ADD]: 'fetchAndAdd',
  [COMPLETED_BIND_WINDOW]: 'bindWindow',
  [COMPLETED_LOCAL_INVALIDATE]: 'localInvalidate',
  [COMPLETED_FLUSH]: 'flush',
  [COMPLETED_ATOMIC_WRITE]: 'atomicWrite',
  [COMPLETED_RECEIVE]: 'receive',
  [COMPLETED_RECEIVE_RDMA_WITH_IMMEDIATE]: 'receiveWithImmediate',
}

/** Name of a completion opcode's number. */
export function completionOpcodeName(opcode: number): CompletionOpcode {
  return completionOpcodes[opcode] as CompletionOpcode
}

const completed = [
  COMPLETED_RDMA_WRITE,
  COMPLETED_RDMA_WRITE,
  COMPLETED_SEND,
  COMPLETED_SEND,
  COMPLETED_RDMA_READ,
  COMPLETED_COMPARE_AND_SWAP,
  COMPLETED_FETCH_AND_ADD,
  COMPLETED_LOCAL_INVALIDATE,
  COMPLETED_BIND_WINDOW,
  COMPLETED_SEND,
  ...[COMPLETED_SEND, COMPLETED_SEND, COMPLETED_SEND, COMPLETED_SEND], // 10 to 13 are not there
  COMPLETED_FLUSH,
  COMPLETED_ATOMIC_WRITE,
]

/** Completion opcode of a request's opcode. */
export function completedOpcode(opcode: number): number {
  return completed[opcode]!
}
