// A small neural network and its gradient, with nothing about ranks in it.

import { lotOf, type Point } from './spirals.js'

/** Two coordinates go in, one number comes out: the odds of class 1. */
const widths = [2, 12, 12, 1]
/** Each layer has `inputs` weights and a bias for each of its outputs. */
const layers = widths.slice(1).map((outputs, index) => ({ inputs: widths[index], outputs }))

export const parameterCount = layers.reduce(
  (count, { inputs, outputs }) => count + (inputs + 1) * outputs,
  0,
)

/** Any that are not all alike will do, if only all ranks have the same. */
export function fillParameters(parameters: Float64Array): void {
  let at = 0
  for (const { inputs, outputs } of layers) {
    for (let output = 0; output < outputs; output++) {
      for (let input = 0; input <= inputs; input++) {
        parameters[at] = (2 * lotOf(at) - 1) * Math.sqrt(3 / inputs)
        at++
      }
    }
  }
}

/** What each layer gives for a point, the point itself first. The last one is the probability of class 1. */
function activationsOf(parameters: Float64Array, { x, y }: Point): number[][] {
  const activations = [[x, y]]
  let at = 0
  layers.forEach(({ inputs, outputs }, layer) => {
    const given = activations[layer]
    const result: number[] = []
    for (let output = 0; output < outputs; output++) {
      let sum = 0
      for (let input = 0; input < inputs; input++) sum += parameters[at++] * given[input]
      sum += parameters[at++]
      result.push(layer < layers.length - 1 ? Math.tanh(sum) : 1 / (1 + Math.exp(-sum)))
    }
    activations.push(result)
  })
  return activations
}

/** The probability of class 1 that the network sees at a point. */
export function probabilityAt(parameters: Float64Array, point: Point): number {
  return activationsOf(parameters, point)[layers.length][0]
}

/** Adds to `gradient` how the loss of a point changes with each parameter; returns the loss. */
export function addGradient(
  gradient: Float64Array,
  parameters: Float64Array,
  point: Point & { label: 0 | 1 },
): number {
  const activations = activationsOf(parameters, point)
  const probability = activations[layers.length][0]
  // How the loss changes with the sum of each output of a layer, from the last layer to the first.
  let slopes = [probability - point.label]
  let end = parameterCount
  for (let layer = layers.length - 1; layer >= 0; layer--) {
    const { inputs, outputs } = layers[layer]
    const given = activations[layer]
    const start = end - (inputs + 1) * outputs
    const slopesBefore = new Array<number>(inputs).fill(0)
    for (let output = 0; output < outputs; output++) {
      const first = start + output * (inputs + 1)
      for (let input = 0; input < inputs; input++) {
        gradient[first + input] += slopes[output] * given[input]
        slopesBefore[input] += slopes[output] * parameters[first + input]
      }
      gradient[first + inputs] += slopes[output]
    }
    // The slope of tanh is 1 - tanh².
    slopes = slopesBefore.map((slope, input) => slope * (1 - given[input] ** 2))
    end = start
  }
  return -Math.log(point.label === 1 ? probability : 1 - probability)
}
