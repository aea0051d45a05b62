'use strict'

// Memory that two threads share: the input that is being run, and a number that
// changes with every input.

const CAPACITY = 64 * 1024 // bytes
const COUNT = 0
const LENGTH = 1
const START = 8 // bytes

function createMemory () {
  return new SharedArrayBuffer(START + CAPACITY)
}

/** @param {SharedArrayBuffer} memory */
function openSharedInput (memory) {
  const header = new Int32Array(memory, 0, 2)
  const room = new Uint8Array(memory, START)
  return {
    put (bytes) {
      if (bytes.length > CAPACITY) throw new RangeError(`inputs have at most ${CAPACITY} bytes`)
      room.set(bytes)
      header[LENGTH] = bytes.length
      Atomics.add(header, COUNT, 1)
    },
    get count () { return Atomics.load(header, COUNT) },
    take: () => Buffer.from(room.slice(0, header[LENGTH]))
  }
}

module.exports = { createMemory, openSharedInput }
