import type { CommunicatorState } from '../comm/communicator-state.js'
import type { Form } from '../coll/agreement.js'
import type { CollectiveOperation } from '../coll/operation.js'
import type { Memory } from '../datatype/index.js'
import type { MakingForm, Order } from '../manage/index.js'
import type { Op } from '../op/index.js'
import type { PersistentRequest } from '../p2p/persistent-request.js'
import type { Request } from '../p2p/request.js'
import type { Status } from '../p2p/status.js'
import type { CollectiveOptions } from './collectives/collectives.js'
import type { MatchedMessage } from './messages/matched-message.js'
import type { ProbeOptions, RecvOptions, SendOptions, SendrecvOptions } from './options.js'

/**
 * Everything that the face can ask for on a communicator. Ours is `RankEngine`; a native MPI would
 * be a second one. What each does is said at the face (api/communicator.ts).
 */
export interface Engine {
  send(on: CommunicatorState, value: unknown, options: SendOptions): void
  ssend(on: CommunicatorState, value: unknown, options: SendOptions): void
  bsend(on: CommunicatorState, value: unknown, options: SendOptions): void
  rsend(on: CommunicatorState, value: unknown, options: SendOptions): void
  isend(on: CommunicatorState, value: unknown, options: SendOptions): Request<void>
  issend(on: CommunicatorState, value: unknown, options: SendOptions): Request<void>
  ibsend(on: CommunicatorState, value: unknown, options: SendOptions): Request<void>
  irsend(on: CommunicatorState, value: unknown, options: SendOptions): Request<void>
  sendInit(on: CommunicatorState, value: unknown, options: SendOptions): PersistentRequest<void>
  ssendInit(on: CommunicatorState, value: unknown, options: SendOptions): PersistentRequest<void>
  bsendInit(on: CommunicatorState, value: unknown, options: SendOptions): PersistentRequest<void>
  rsendInit(on: CommunicatorState, value: unknown, options: SendOptions): PersistentRequest<void>

  recv(on: CommunicatorState, options: RecvOptions): unknown
  recvInto(on: CommunicatorState, memory: Memory, options: RecvOptions): Status
  irecv(on: CommunicatorState, options: RecvOptions): Request<unknown>
  irecvInto(on: CommunicatorState, memory: Memory, options: RecvOptions): Request<Status>
  recvInit(on: CommunicatorState, options: RecvOptions): PersistentRequest<unknown>
  recvIntoInit(
    on: CommunicatorState,
    memory: Memory,
    options: RecvOptions,
  ): PersistentRequest<Status>

  sendrecv(on: CommunicatorState, value: unknown, options: SendrecvOptions): unknown
  sendrecvInto(on: CommunicatorState, send: Memory, recv: Memory, options: SendrecvOptions): Status
  sendrecvReplace(on: CommunicatorState, memory: Memory, options: SendrecvOptions): Status
  isendrecv(on: CommunicatorState, value: unknown, options: SendrecvOptions): Request<unknown>
  isendrecvInto(
    on: CommunicatorState,
    send: Memory,
    recv: Memory,
    options: SendrecvOptions,
  ): Request<Status>
  isendrecvReplace(on: CommunicatorState, memory: Memory, options: SendrecvOptions): Request<Status>

  probe(on: CommunicatorState, options: ProbeOptions): Status
  iprobe(on: CommunicatorState, options: ProbeOptions): Status | undefined
  mprobe(on: CommunicatorState, options: ProbeOptions): MatchedMessage
  improbe(on: CommunicatorState, options: ProbeOptions): MatchedMessage | undefined

  /**
   * A collective, in one of its three forms: what it returns is a value, a request, or a persistent
   * request. `given` is a value, or the buffers (`MemoryArguments`).
   */
  collective(
    on: CommunicatorState,
    operation: CollectiveOperation,
    given: unknown,
    op: Op | undefined,
    options: CollectiveOptions | undefined,
    form: Form,
  ): unknown

  /**
   * Makes a communicator; `as` makes what the program holds of it, or of nothing where this rank is in
   * none. The request of the blocking form is to be waited for at once.
   */
  make<T>(
    on: CommunicatorState,
    order: Order,
    form: MakingForm,
    as: (made: CommunicatorState | undefined) => T,
  ): Request<T>

  free(on: CommunicatorState): void

  abort(code: number): never
}
