/** The communication modes of MPI 4.1, section 3.4. */
export const STANDARD = 0
/** Complete only when the receive has matched. */
export const SYNCHRONOUS = 1
/** Complete at once, out of the buffer that the program attached. */
export const BUFFERED = 2
/** The program promises that the receive is posted; carried out as a standard send. */
export const READY = 3
