/** The HCA may write the region: receives, READ results. */
export const LOCAL_WRITE = 1
/** Peers may RDMA WRITE; needs `LOCAL_WRITE`. */
export const REMOTE_WRITE = 2
/** Peers may RDMA READ. */
export const REMOTE_READ = 4
/** Peers may carry out atomics; needs `LOCAL_WRITE`. */
export const REMOTE_ATOMIC = 8
/** Any of the rights that need a remote key. */
export const REMOTE_ANY = REMOTE_WRITE | REMOTE_READ | REMOTE_ATOMIC
