// What each reduction does to one vector and to one element. Integers wrap around; the clamped
// kind saturates at 255 as assignment to a Uint8ClampedArray does. Minimum and maximum of floats
// are those of IEEE 754-2019 and of Math.min and Math.max: NaN wins, and -0 is below +0.

import { Operation } from './reduce'

/** Bit of the sign in each lane of 64 bits: flips unsigned order into signed order. */
function flipSign(lanes: v128): v128 {
  return v128.xor(lanes, i64x2.splat(i64.MIN_VALUE))
}

export class Sum<T extends number> extends Operation<T> {
  vector(lower: v128, higher: v128): v128 {
    return v128.add<T>(lower, higher)
  }
  scalar(lower: T, higher: T): T {
    return <T>(lower + higher)
  }
}

export class Product<T extends number> extends Operation<T> {
  vector(lower: v128, higher: v128): v128 {
    if (sizeof<T>() == 1) {
      // No 8-bit multiplication: multiply as 16 bits, keep the low bytes.
      const low = v128.and(v128.extmul_low<u8>(lower, higher), i16x8.splat(0xff))
      const high = v128.and(v128.extmul_high<u8>(lower, higher), i16x8.splat(0xff))
      return v128.narrow<u16>(low, high)
    } else {
      return v128.mul<T>(lower, higher)
    }
  }
  scalar(lower: T, higher: T): T {
    return <T>(lower * higher)
  }
}

/** Sum of bytes that saturates at 255. */
export class ClampedSum extends Operation<u8> {
  vector(lower: v128, higher: v128): v128 {
    return v128.add_sat<u8>(lower, higher)
  }
  scalar(lower: u8, higher: u8): u8 {
    return <u8>min<u32>(<u32>lower + <u32>higher, 255)
  }
}

/** Product of bytes that saturates at 255. */
export class ClampedProduct extends Operation<u8> {
  vector(lower: v128, higher: v128): v128 {
    const limit = i16x8.splat(255)
    const low = v128.min<u16>(v128.extmul_low<u8>(lower, higher), limit)
    const high = v128.min<u16>(v128.extmul_high<u8>(lower, higher), limit)
    return v128.narrow<u16>(low, high)
  }
  scalar(lower: u8, higher: u8): u8 {
    return <u8>min<u32>(<u32>lower * <u32>higher, 255)
  }
}

export class Minimum<T extends number> extends Operation<T> {
  vector(lower: v128, higher: v128): v128 {
    if (sizeof<T>() == 8 && isInteger<T>()) {
      const above = isSigned<T>()
        ? i64x2.gt_s(lower, higher)
        : i64x2.gt_s(flipSign(lower), flipSign(higher))
      return v128.bitselect(higher, lower, above)
    } else {
      return v128.min<T>(lower, higher)
    }
  }
  scalar(lower: T, higher: T): T {
    return min<T>(lower, higher)
  }
}

export class Maximum<T extends number> extends Operation<T> {
  vector(lower: v128, higher: v128): v128 {
    if (sizeof<T>() == 8 && isInteger<T>()) {
      const above = isSigned<T>()
        ? i64x2.gt_s(lower, higher)
        : i64x2.gt_s(flipSign(lower), flipSign(higher))
      return v128.bitselect(lower, higher, above)
    } else {
      return v128.max<T>(lower, higher)
    }
  }
  scalar(lower: T, higher: T): T {
    return max<T>(lower, higher)
  }
}

/** All ones in each lane that is not zero. */
function truth<T extends number>(lanes: v128): v128 {
  return v128.ne<T>(lanes, i64x2.splat(0))
}

export class LogicalAnd<T extends number> extends Operation<T> {
  vector(lower: v128, higher: v128): v128 {
    return v128.and(v128.and(truth<T>(lower), truth<T>(higher)), v128.splat<T>(<T>1))
  }
  scalar(lower: T, higher: T): T {
    return <T>(i32(lower != 0) & i32(higher != 0))
  }
}

export class LogicalOr<T extends number> extends Operation<T> {
  vector(lower: v128, higher: v128): v128 {
    return v128.and(truth<T>(v128.or(lower, higher)), v128.splat<T>(<T>1))
  }
  scalar(lower: T, higher: T): T {
    return <T>(i32(lower != 0) | i32(higher != 0))
  }
}

export class LogicalXor<T extends number> extends Operation<T> {
  vector(lower: v128, higher: v128): v128 {
    return v128.and(v128.xor(truth<T>(lower), truth<T>(higher)), v128.splat<T>(<T>1))
  }
  scalar(lower: T, higher: T): T {
    return <T>(i32(lower != 0) ^ i32(higher != 0))
  }
}

export class BitAnd<T extends number> extends Operation<T> {
  vector(lower: v128, higher: v128): v128 {
    return v128.and(lower, higher)
  }
  scalar(lower: T, higher: T): T {
    return <T>(lower & higher)
  }
}

export class BitOr<T extends number> extends Operation<T> {
  vector(lower: v128, higher: v128): v128 {
    return v128.or(lower, higher)
  }
  scalar(lower: T, higher: T): T {
    return <T>(lower | higher)
  }
}

export class BitXor<T extends number> extends Operation<T> {
  vector(lower: v128, higher: v128): v128 {
    return v128.xor(lower, higher)
  }
  scalar(lower: T, higher: T): T {
    return <T>(lower ^ higher)
  }
}
