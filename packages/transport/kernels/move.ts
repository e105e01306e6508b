// Kernels that move bytes. Addresses are unsigned: a memory may be 4 GiB. Loops count down what is
// left instead of comparing with an end address, which for the last byte of memory would wrap to 0.

/** Copies `bytes` bytes; the ranges may overlap. */
export function copy(target: usize, source: usize, bytes: usize): void {
  // All loads precede all stores, so overlap is safe; a call of memory.copy costs more than these.
  if (bytes >= 8) {
    if (bytes <= 16) {
      const head = load<u64>(source)
      const tail = load<u64>(source + bytes - 8)
      store<u64>(target, head)
      store<u64>(target + bytes - 8, tail)
    } else if (bytes <= 32) {
      const head = v128.load(source)
      const tail = v128.load(source + bytes - 16)
      v128.store(target, head)
      v128.store(target + bytes - 16, tail)
    } else if (bytes <= 64) {
      const first = v128.load(source)
      const second = v128.load(source, 16)
      const third = v128.load(source + bytes - 32)
      const fourth = v128.load(source + bytes - 16)
      v128.store(target, first)
      v128.store(target, second, 16)
      v128.store(target + bytes - 32, third)
      v128.store(target + bytes - 16, fourth)
    } else {
      memory.copy(target, source, bytes)
    }
  } else if (bytes >= 4) {
    const head = load<u32>(source)
    const tail = load<u32>(source + bytes - 4)
    store<u32>(target, head)
    store<u32>(target + bytes - 4, tail)
  } else if (bytes > 0) {
    const first = load<u8>(source)
    const middle = load<u8>(source + (bytes >> 1))
    const last = load<u8>(source + bytes - 1)
    store<u8>(target, first)
    store<u8>(target + (bytes >> 1), middle)
    store<u8>(target + bytes - 1, last)
  }
}

/** Sets `bytes` bytes to `value`. */
export function fill(target: usize, value: i32, bytes: usize): void {
  memory.fill(target, <u8>value, bytes)
}

/** 1 when the two ranges hold the same bytes, else 0. */
export function equal(left: usize, right: usize, bytes: usize): i32 {
  while (bytes >= 16) {
    if (v128.any_true(v128.xor(v128.load(left), v128.load(right)))) return 0
    left += 16
    right += 16
    bytes -= 16
  }
  while (bytes > 0) {
    if (load<u8>(left) != load<u8>(right)) return 0
    left++
    right++
    bytes--
  }
  return 1
}

/**
 * Moves `blockCount` blocks of `blockBytes` bytes from `source` to `target`, stepping each by a
 * stride of its own. Strides may be negative (they wrap). The ranges must not overlap.
 */
function moveStrided(
  target: usize,
  targetStride: usize,
  source: usize,
  sourceStride: usize,
  blockCount: usize,
  blockBytes: usize,
): void {
  if (sourceStride == blockBytes && targetStride == blockBytes) {
    memory.copy(target, source, blockCount * blockBytes)
  } else if (blockBytes == 8) {
    moveElements<u64>(target, targetStride, source, sourceStride, blockCount)
  } else if (blockBytes == 4) {
    moveElements<u32>(target, targetStride, source, sourceStride, blockCount)
  } else if (blockBytes == 16) {
    for (; blockCount > 0; blockCount--) {
      v128.store(target, v128.load(source))
      target += targetStride
      source += sourceStride
    }
  } else if (blockBytes == 2) {
    moveElements<u16>(target, targetStride, source, sourceStride, blockCount)
  } else if (blockBytes == 1) {
    moveElements<u8>(target, targetStride, source, sourceStride, blockCount)
  } else {
    for (; blockCount > 0; blockCount--) {
      copy(target, source, blockBytes)
      target += targetStride
      source += sourceStride
    }
  }
}

/** `moveStrided` for blocks that fit a register, four at a time so that their loads overlap. */
function moveElements<T extends number>(
  target: usize,
  targetStride: usize,
  source: usize,
  sourceStride: usize,
  blockCount: usize,
): void {
  for (; blockCount >= 4; blockCount -= 4) {
    const first = load<T>(source)
    const second = load<T>(source + sourceStride)
    const third = load<T>(source + 2 * sourceStride)
    const fourth = load<T>(source + 3 * sourceStride)
    store<T>(target, first)
    store<T>(target + targetStride, second)
    store<T>(target + 2 * targetStride, third)
    store<T>(target + 3 * targetStride, fourth)
    source += 4 * sourceStride
    target += 4 * targetStride
  }
  for (; blockCount > 0; blockCount--) {
    store<T>(target, load<T>(source))
    source += sourceStride
    target += targetStride
  }
}

/** Gathers blocks that lie `strideBytes` apart at `source` into a packed range at `target`. */
export function pack(
  target: usize,
  source: usize,
  blockCount: usize,
  blockBytes: usize,
  strideBytes: usize,
): void {
  moveStrided(target, blockBytes, source, strideBytes, blockCount, blockBytes)
}

/** Scatters a packed range at `source` into blocks that lie `strideBytes` apart at `target`. */
export function unpack(
  target: usize,
  source: usize,
  blockCount: usize,
  blockBytes: usize,
  strideBytes: usize,
): void {
  moveStrided(target, strideBytes, source, blockBytes, blockCount, blockBytes)
}
