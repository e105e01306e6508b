/** What a request asks for, numbered as `ibv_wr_opcode`. */
export type Opcode =
  'rdmaWrite' | 'rdmaWriteWithImmediate' | 'send' | 'sendWithImmediate' | 'rdmaRead'

export const RDMA_WRITE = 0
export const RDMA_WRITE_WITH_IMMEDIATE = 1
export const SEND = 2
export const SEND_WITH_IMMEDIATE = 3
export const RDMA_READ = 4

/** Number of each opcode. */
export const opcodeNumbers: Readonly<Record<Opcode, number>> = {
  rdmaWrite: RDMA_WRITE,
  rdmaWriteWithImmediate: RDMA_WRITE_WITH_IMMEDIATE,
  send: SEND,
  sendWithImmediate: SEND_WITH_IMMEDIATE,
  rdmaRead: RDMA_READ,
}

/** What a completion is about, numbered as `ibv_wc_opcode`. */
export type CompletionOpcode =
  'send' | 'rdmaWrite' | 'rdmaRead' | 'receive' | 'receiveWithImmediate'

export const COMPLETED_SEND = 0
export const COMPLETED_RDMA_WRITE = 1
export const COMPLETED_RDMA_READ = 2
export const COMPLETED_RECEIVE = 128
export const COMPLETED_RECEIVE_RDMA_WITH_IMMEDIATE = 129

const completionOpcodes: Readonly<Record<number, CompletionOpcode>> = {
  [COMPLETED_SEND]: 'send',
  [COMPLETED_RDMA_WRITE]: 'rdmaWrite',
  [COMPLETED_RDMA_READ]: 'rdmaRead',
  [COMPLETED_RECEIVE]: 'receive',
  [COMPLETED_RECEIVE_RDMA_WITH_IMMEDIATE]: 'receiveWithImmediate',
}

/** Name of a completion opcode's number. */
export function completionOpcodeName(opcode: number): CompletionOpcode {
  return completionOpcodes[opcode] as CompletionOpcode
}

/** Completion opcode of a request's opcode. */
export function completedOpcode(opcode: number): number {
  if (opcode <= RDMA_WRITE_WITH_IMMEDIATE) return COMPLETED_RDMA_WRITE
  return opcode === RDMA_READ ? COMPLETED_RDMA_READ : COMPLETED_SEND
}
