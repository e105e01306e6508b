// The exports of the module. Where the sign changes nothing (sum, product, logic, bits) one export
// serves both kinds of a width; src/memory/kernels.ts maps operation and element kind to a name.

import {
  BitAnd,
  BitOr,
  BitXor,
  ClampedProduct,
  ClampedSum,
  LogicalAnd,
  LogicalOr,
  LogicalXor,
  Maximum,
  Minimum,
  Product,
  Sum,
} from './operations'
import { reduce } from './reduce'

export { copy, equal, fill, pack, unpack } from './move'
export { agree } from './agree'
export { acquire, await_count, publish, publish_line, publish_word } from './ring'

export function sum_i8(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<i8, Sum<i8>>(target, lower, higher, count)
}

export function sum_i16(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<i16, Sum<i16>>(target, lower, higher, count)
}

export function sum_i32(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<i32, Sum<i32>>(target, lower, higher, count)
}

export function sum_i64(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<i64, Sum<i64>>(target, lower, higher, count)
}

export function sum_f32(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<f32, Sum<f32>>(target, lower, higher, count)
}

export function sum_f64(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<f64, Sum<f64>>(target, lower, higher, count)
}

export function sum_u8c(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<u8, ClampedSum>(target, lower, higher, count)
}

export function prod_i8(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<i8, Product<i8>>(target, lower, higher, count)
}

export function prod_i16(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<i16, Product<i16>>(target, lower, higher, count)
}

export function prod_i32(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<i32, Product<i32>>(target, lower, higher, count)
}

export function prod_i64(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<i64, Product<i64>>(target, lower, higher, count)
}

export function prod_f32(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<f32, Product<f32>>(target, lower, higher, count)
}

export function prod_f64(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<f64, Product<f64>>(target, lower, higher, count)
}

export function prod_u8c(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<u8, ClampedProduct>(target, lower, higher, count)
}

export function min_i8(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<i8, Minimum<i8>>(target, lower, higher, count)
}

export function min_u8(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<u8, Minimum<u8>>(target, lower, higher, count)
}

export function min_i16(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<i16, Minimum<i16>>(target, lower, higher, count)
}

export function min_u16(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<u16, Minimum<u16>>(target, lower, higher, count)
}

export function min_i32(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<i32, Minimum<i32>>(target, lower, higher, count)
}

export function min_u32(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<u32, Minimum<u32>>(target, lower, higher, count)
}

export function min_i64(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<i64, Minimum<i64>>(target, lower, higher, count)
}

export function min_u64(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<u64, Minimum<u64>>(target, lower, higher, count)
}

export function min_f32(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<f32, Minimum<f32>>(target, lower, higher, count)
}

export function min_f64(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<f64, Minimum<f64>>(target, lower, higher, count)
}

export function max_i8(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<i8, Maximum<i8>>(target, lower, higher, count)
}

export function max_u8(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<u8, Maximum<u8>>(target, lower, higher, count)
}

export function max_i16(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<i16, Maximum<i16>>(target, lower, higher, count)
}

export function max_u16(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<u16, Maximum<u16>>(target, lower, higher, count)
}

export function max_i32(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<i32, Maximum<i32>>(target, lower, higher, count)
}

export function max_u32(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<u32, Maximum<u32>>(target, lower, higher, count)
}

export function max_i64(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<i64, Maximum<i64>>(target, lower, higher, count)
}

export function max_u64(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<u64, Maximum<u64>>(target, lower, higher, count)
}

export function max_f32(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<f32, Maximum<f32>>(target, lower, higher, count)
}

export function max_f64(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<f64, Maximum<f64>>(target, lower, higher, count)
}

export function land_i8(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<i8, LogicalAnd<i8>>(target, lower, higher, count)
}

export function land_i16(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<i16, LogicalAnd<i16>>(target, lower, higher, count)
}

export function land_i32(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<i32, LogicalAnd<i32>>(target, lower, higher, count)
}

export function land_i64(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<i64, LogicalAnd<i64>>(target, lower, higher, count)
}

export function lor_i8(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<i8, LogicalOr<i8>>(target, lower, higher, count)
}

export function lor_i16(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<i16, LogicalOr<i16>>(target, lower, higher, count)
}

export function lor_i32(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<i32, LogicalOr<i32>>(target, lower, higher, count)
}

export function lor_i64(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<i64, LogicalOr<i64>>(target, lower, higher, count)
}

export function lxor_i8(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<i8, LogicalXor<i8>>(target, lower, higher, count)
}

export function lxor_i16(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<i16, LogicalXor<i16>>(target, lower, higher, count)
}

export function lxor_i32(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<i32, LogicalXor<i32>>(target, lower, higher, count)
}

export function lxor_i64(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<i64, LogicalXor<i64>>(target, lower, higher, count)
}

export function band_i8(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<i8, BitAnd<i8>>(target, lower, higher, count)
}

export function band_i16(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<i16, BitAnd<i16>>(target, lower, higher, count)
}

export function band_i32(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<i32, BitAnd<i32>>(target, lower, higher, count)
}

export function band_i64(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<i64, BitAnd<i64>>(target, lower, higher, count)
}

export function bor_i8(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<i8, BitOr<i8>>(target, lower, higher, count)
}

export function bor_i16(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<i16, BitOr<i16>>(target, lower, higher, count)
}

export function bor_i32(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<i32, BitOr<i32>>(target, lower, higher, count)
}

export function bor_i64(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<i64, BitOr<i64>>(target, lower, higher, count)
}

export function bxor_i8(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<i8, BitXor<i8>>(target, lower, higher, count)
}

export function bxor_i16(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<i16, BitXor<i16>>(target, lower, higher, count)
}

export function bxor_i32(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<i32, BitXor<i32>>(target, lower, higher, count)
}

export function bxor_i64(target: usize, lower: usize, higher: usize, count: usize): void {
  reduce<i64, BitXor<i64>>(target, lower, higher, count)
}
