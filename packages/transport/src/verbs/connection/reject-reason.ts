// Why a connection is refused: codes of the REJ message (IBA vol. 1, 12.6.7.2).

/** Nobody listens at the port that was asked for (IBA vol. 1, 12.6.7.2: invalid service id). */
export const REASON_INVALID_SERVICE = 8
/** The listener has as many requests waiting as it takes. */
export const REASON_NO_RESOURCES = 3
/** The other side said no. */
export const REASON_CONSUMER = 28
