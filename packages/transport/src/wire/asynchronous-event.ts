/**
 * Asynchronous events, numbered as `ibv_event_type` (ibv_get_async_event.3). An event is kept in a
 * ring of its HCA until the owner's thread takes it:
 *
 * | bytes of an entry | word                                      |
 * | ----------------- | ----------------------------------------- |
 * | 0                 | number of the event                       |
 * | 4                 | address of the object, or port number     |
 * | 8                 | number of the queue pair, 0 for others    |
 */
export const asynchronousEventNames = [
  'completionQueueError',
  'queuePairFatal',
  'queuePairRequestError',
  'queuePairAccessError',
  'communicationEstablished',
  'sendQueueDrained',
  'pathMigrated',
  'pathMigrationError',
  'deviceFatal',
  'portActive',
  'portError',
  'localIdentifierChange',
  'partitionKeyChange',
  'subnetManagerChange',
  'sharedReceiveQueueError',
  'sharedReceiveQueueLimitReached',
  'queuePairLastEntryReached',
  'clientReregister',
  'globalIdentifierChange',
  'workQueueFatal',
  'deviceSpeedChange',
] as const

export type AsynchronousEventName = (typeof asynchronousEventNames)[number]

export const EVENT_CQ_ERROR = 0
export const EVENT_QP_FATAL = 1
export const EVENT_QP_REQUEST_ERROR = 2
export const EVENT_QP_ACCESS_ERROR = 3
export const EVENT_COMMUNICATION_ESTABLISHED = 4
export const EVENT_SEND_QUEUE_DRAINED = 5
export const EVENT_PATH_MIGRATED = 6
export const EVENT_PATH_MIGRATION_ERROR = 7
export const EVENT_DEVICE_FATAL = 8
export const EVENT_PORT_ACTIVE = 9
export const EVENT_PORT_ERROR = 10
export const EVENT_LID_CHANGE = 11
export const EVENT_PARTITION_KEY_CHANGE = 12
export const EVENT_SRQ_LIMIT_REACHED = 15
export const EVENT_QP_LAST_ENTRY_REACHED = 16
export const EVENT_GID_CHANGE = 18

/** Length of an entry. */
export const EVENT_BYTES = 16
/** Entries of the ring. */
export const EVENT_ENTRIES = 64
