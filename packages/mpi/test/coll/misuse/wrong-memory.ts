import { Datatype, IN_PLACE, SUM } from '@commworld/mpi'
import { argument, buffer, count, datatype, f64, i32, never, overlap, type Wrong } from './wrong.js'

export const lengths: readonly Wrong[] = [
  ['gather: too few', (world) => world.igatherInto(f64(2), f64(5)), count(/3/), 'root'],
  [
    'gather: other than given',
    (world) => world.igatherInto(f64(2), f64(9)),
    count(/gatherInto/),
    'root',
  ],
  ['scatter', (world) => world.iscatterInto(f64(7), f64(2)), count(/multiple of 3/), 'root'],
  ['allgather', (world) => world.iallgatherInto(f64(2), f64(3)), count(/allgatherInto/)],
  ['alltoall: no blocks', (world) => world.ialltoallInto(f64(4), f64(4)), count(/multiple of 3/)],
  ['alltoall: uneven', (world) => world.ialltoallInto(f64(3), f64(6)), count(/alltoallInto/)],
  ['alltoall in place', (world) => world.ialltoallInto(IN_PLACE, f64(4)), count(/multiple of 3/)],
  ['reduce', (world) => world.ireduceInto(f64(2), f64(3), SUM), count(/reduceInto/), 'root'],
  ['allreduce', (world) => world.iallreduceInto(f64(2), f64(1), SUM), count(/allreduceInto/)],
  [
    'reduceScatterBlock',
    (world) => world.ireduceScatterBlockInto(f64(6), f64(3), SUM),
    count(/reduceScatterBlockInto/),
  ],
  ['scan', (world) => world.iscanInto(f64(2), f64(0), SUM), count(/scanInto/)],
  [
    'a count beyond the array',
    (world) => world.ibcastInto({ data: f64(2), count: 3 }),
    count(/count/),
  ],
]

export const blocks = (counts: unknown, displacements?: unknown) => ({
  data: f64(9),
  counts: counts as number[],
  ...(displacements === undefined ? {} : { displacements: displacements as number[] }),
})
export const two = blocks([2, 2, 2])

export const listed: readonly Wrong[] = [
  ['too few counts', (world) => world.iallgathervInto(f64(2), blocks([2, 2])), count(/counts/)],
  [
    'a negative count',
    (world) => world.ialltoallvInto(two, blocks([2, -2, 2])),
    count(/counts\[1\]/),
  ],
  [
    'half a count',
    (world) => world.iallgathervInto(f64(2), blocks([2, 2, 0.5])),
    count(/counts\[2\]/),
  ],
  [
    'no counts',
    (world) => world.iallgathervInto(f64(2), { data: f64(6) } as never),
    count(/counts/),
  ],
  [
    'no data',
    (world) => world.iallgathervInto(f64(2), { counts: [1, 1, 1] } as never),
    buffer(/data/),
  ],
  ['no blocks', (world) => world.igathervInto(f64(2), f64(6) as never), buffer(/counts/), 'root'],
  ['blocks elsewhere', (world) => world.iallgatherInto(f64(2), two as never), buffer(/v-forms/)],
  [
    'too few displacements',
    (world) => world.ialltoallvInto(blocks([1, 1, 1], [0, 1]), two),
    argument(/displacements/),
  ],
  [
    'half a displacement',
    (world) => world.ialltoallvInto(blocks([1, 1, 1], [0, 1, 2.5]), two),
    argument(/displacements\[2\]/),
  ],
  [
    'before the array',
    (world) => world.iallgathervInto(f64(2), blocks([2, 2, 2], [-1, 2, 4])),
    argument(/recv\.displacements\[0\].*before the array/),
  ],
  [
    'behind the array',
    (world) => world.iallgathervInto(f64(2), blocks([2, 2, 2], [0, 2, 8])),
    count(/recv\.counts\[2\].*at most 1, as block 2 begins at element 8 of an array of 9/),
  ],
  [
    'more than there is',
    (world) => world.iallgathervInto(f64(2), blocks([2, 2, 7])),
    count(/block 2/),
  ],
  [
    'overlapping blocks',
    (world) => world.iallgathervInto(f64(2), blocks([2, 2, 2], [0, 1, 4])),
    overlap(/block 0.*block 1/),
  ],
  [
    'one block twice',
    (world) => world.igathervInto(f64(2), blocks([2, 2, 2], [0, 4, 4])),
    overlap(/block 1.*block 2/),
    'root',
  ],
  [
    'another length of its own',
    (world) => world.iallgathervInto(f64(1), two),
    count(/allgathervInto/),
  ],
  [
    'another own part',
    (world) => world.ireduceScatterInto(two, f64(3), SUM),
    count(/reduceScatterInto/),
  ],
]

const half = Datatype.vector({ count: 2, blockLength: 2, stride: 1 })

export const memory: readonly Wrong[] = [
  [
    'an array of numbers',
    (world) => world.ibcastInto([1, 2] as never),
    buffer(/`memory` must be a typed array/),
  ],
  ['nothing', (world) => world.iallreduceInto(never, f64(1), SUM), buffer(/send/)],
  ['nothing to receive into', (world) => world.iallreduceInto(f64(1), never, SUM), buffer(/recv/)],
  [
    'two kinds',
    (world) => world.iallreduceInto(f64(2), i32(2), SUM),
    datatype(/float64 and int32/),
  ],
  [
    'two kinds of blocks',
    (world) => world.iallgatherInto(i32(1), f64(3)),
    datatype(/int32 and float64/),
  ],
  [
    'a freed datatype',
    (world) => {
      const freed = Datatype.contiguous(2)
      freed.free()
      return world.ibcastInto({ data: f64(2), datatype: freed })
    },
    datatype(/freed/),
  ],
  [
    'memory that overlaps itself',
    (world) => world.ibcastInto({ data: f64(3), datatype: half }),
    overlap(/twice/),
  ],
  [
    'memory that can be resized',
    (world) => {
      const data = new Float64Array(
        new (ArrayBuffer as never as new (n: number, o: object) => ArrayBuffer)(16, {
          maxByteLength: 32,
        }),
      )
      return world.ibcastInto(data)
    },
    buffer(/keeps its size/),
  ],
  [
    'one buffer twice',
    (world, { alloc }) => {
      const data = alloc(Float64Array, 2)
      return world.iallreduceInto(data, data, SUM)
    },
    overlap(/IN_PLACE/),
  ],
  [
    'buffers that overlap',
    (world) => {
      const data = f64(5)
      return world.iallreduceInto(data.subarray(0, 3), data.subarray(2), SUM)
    },
    overlap(/send.*recv/),
  ],
  [
    'interlocking columns with one in common',
    (world) => {
      const data = f64(12)
      const column = Datatype.vector({ count: 3, blockLength: 2, stride: 4 })
      return world.iallreduceInto(
        { data, datatype: column },
        { data, datatype: column, offset: 1 },
        SUM,
      )
    },
    overlap(/send.*recv/),
  ],
]

export const inPlace: readonly Wrong[] = [
  ['of a broadcast', (world) => world.ibcastInto(IN_PLACE as never), argument(/no form in place/)],
  [
    'to receive into',
    (world) => world.iallreduceInto(f64(1), IN_PLACE as never, SUM),
    argument(/instead of `send`/),
  ],
  [
    'at both ends',
    (world) => world.iallgatherInto(IN_PLACE, IN_PLACE as never),
    argument(/IN_PLACE/),
  ],
  [
    'of a gather, not at the root',
    (world) => world.igatherInto(IN_PLACE, f64(3)),
    argument(/at the root only/),
    'others',
  ],
  [
    'of a reduce, not at the root',
    (world) => world.ireduceInto(IN_PLACE, f64(3), SUM),
    argument(/at the root only/),
    'others',
  ],
  [
    'of a scatter, not at the root',
    (world) => world.iscatterInto(f64(3), IN_PLACE),
    argument(/at the root only/),
    'others',
  ],
  [
    'given to a scatter',
    (world) => world.iscatterInto(IN_PLACE as never, f64(1)),
    argument(/instead of `recv`/),
  ],
]
