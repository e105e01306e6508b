/**
 * Whether a buffer was transferred to another thread. Node 20 has no property that tells; a view on
 * such a buffer is empty, so only empty ones need to be asked.
 */
export function isDetached(buffer: ArrayBufferLike): boolean {
  if (buffer.byteLength > 0) return false
  try {
    return new Uint8Array(buffer).length > 0
  } catch {
    return true
  }
}
