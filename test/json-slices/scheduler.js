'use strict'

const assert = require('node:assert/strict')
const timers = require('node:timers')
const Task = require('../../lib/json-slices/scheduler')
const loadAgain = require('../support/load-again')
const { SHORTEST_SLICE, countTurns, settled } = require('../support/slices')
const within = require('../support/within')

/** Ends when its `finish` is called. */
function createWork () {
  const work = () => {
    work.isStarted = true
    return new Promise((resolve, reject) => Object.assign(work, { finish: resolve, fail: reject }))
  }
  return Object.assign(work, { isStarted: false })
}

/** Another copy of the scheduler, whose clock shows `time`, in milliseconds. */
function loadWithClock () {
  const clock = { time: 1000, Task: null }
  const load = () => loadAgain(require.resolve('../../lib/json-slices/scheduler'))
  clock.Task = within(performance, { now: () => clock.time }, load)
  return clock
}

const immediate = () => new Promise((resolve) => setImmediate(resolve))

async function turns (count) {
  for (let left = count; left > 0; left--) await immediate()
}

describe('slices: Task', () => {
  it('starts its work in a later turn of the event loop', async () => {
    const work = createWork()
    const running = new Task(1).run(work)
    await null
    assert.equal(work.isStarted, false)
    await turns(2)
    assert.equal(work.isStarted, true)
    work.finish('value')
    assert.equal(await running, 'value')
  })

  it('starts at most four at a time, the others in their order when one of these ends', async () => {
    const works = Array.from({ length: 7 }, createWork)
    const runs = works.map((work) => settled(new Task(1).run(work)))
    const started = async () => {
      await turns(10)
      return works.map(({ isStarted }) => isStarted ? 1 : 0).join('')
    }
    assert.equal(await started(), '1111000')
    works[2].finish()
    assert.equal(await started(), '1111100')
    works[4].fail(new Error('failed'))
    assert.equal(await started(), '1111110')
    for (const index of [0, 1, 3]) works[index].finish()
    assert.equal(await started(), '1111111')
    for (const index of [5, 6]) works[index].finish()
    assert.deepEqual((await Promise.all(runs)).map(({ error }) => error?.message),
      [undefined, undefined, undefined, undefined, 'failed', undefined, undefined])
  })

  it('gives one time slice in each turn of the event loop, to the task that has worked least', async () => {
    const turn = countTurns()
    const slices = []
    await Promise.all(['a', 'b', 'c'].map((name) => {
      const task = new Task(SHORTEST_SLICE)
      return task.run(async () => {
        for (let left = 4; left > 0; left--) {
          slices.push([name, turn.count])
          await task.pause()
        }
      })
    }))
    turn.stop()
    for (const name of 'abc') assert.equal(slices.filter(([each]) => each === name).length, 4)
    assert.equal(new Set(slices.slice(0, 3).map(([name]) => name)).size, 3)
    assert.equal(new Set(slices.map(([, count]) => count)).size, slices.length)
  })

  it('measures a slice in milliseconds from its beginning', async () => {
    const clock = loadWithClock()
    for (const start of [5999, 9999]) {
      const task = new clock.Task(2)
      clock.time = start
      await task.pause()
      const isOver = [start, start + 1, start + 1.999, start + 2, start + 1001].map((time) => {
        clock.time = time
        task.pause()
        return task.level.ready.has(task)
      })
      assert.deepEqual(isOver, [false, false, false, true, true])
    }
  })

  it('rejects at once when it is cancelled while it waits for a slice', async () => {
    const controller = new AbortController()
    const reason = new Error('cancelled')
    const task = new Task(SHORTEST_SLICE, controller.signal)
    let slices = 0
    const running = assert.rejects(task.run(async () => {
      for (;;) {
        slices++
        await task.pause()
      }
    }), reason)
    await turns(3)
    const before = slices
    assert.ok(before > 0)
    controller.abort(reason)
    assert.equal(task.isInterrupted, true)
    await running
    assert.equal(slices, before)
  })

  it('rejects at its next pause when it is cancelled while it works', async () => {
    const controller = new AbortController()
    const reason = new Error('cancelled')
    const task = new Task(SHORTEST_SLICE, controller.signal)
    await assert.rejects(task.run(async () => {
      controller.abort(reason)
      await task.pause()
      assert.fail('went on')
    }), reason)
  })

  it('rejects at once when it is cancelled while it waits for a place, or before, and takes none', async () => {
    const reason = new Error('cancelled')
    const works = Array.from({ length: 4 }, createWork)
    const runs = works.map((work) => new Task(1).run(work))
    const controller = new AbortController()
    const waiting = new Task(1, controller.signal)
    const rejected = assert.rejects(waiting.run(() => assert.fail('started')), reason)
    const next = createWork()
    const last = new Task(1).run(next)
    await turns(5)
    controller.abort(reason)
    await rejected
    const early = new Task(1, AbortSignal.abort(reason))
    await assert.rejects(early.run(() => assert.fail('started')), reason)
    works[0].finish()
    await turns(5)
    assert.equal(next.isStarted, true)
    for (const work of [...works, next]) work.finish()
    await Promise.all([...runs, last])
  })

  /** Runs a task of so many slices of 1 ms: notes each start of its work, and each slice. */
  function runLong (clock, slices, starts, noteSlice = () => {}) {
    const task = new clock.Task(1)
    return task.run(async () => {
      starts.push(task)
      for (let left = slices; left > 0; left--) {
        noteSlice(task)
        clock.time += 1.1
        await task.pause()
      }
    })
  }

  it('lets short tasks pass long ones, which start again and end as well', async () => {
    const clock = loadWithClock()
    const ends = []
    const starts = []
    const run = (name, slices, starts) => runLong(clock, slices, starts).then(() => ends.push(name))
    const longs = ['A', 'B', 'C', 'D', 'E', 'F'].map((name) => run(name, 60, starts))
    await turns(5)
    await Promise.all([...longs, ...['g', 'h'].map((name) => run(name, 3, []))])
    assert.deepEqual(ends.slice(0, 2).sort(), ['g', 'h'])
    assert.equal(ends.length, 8)
    assert.ok(starts.length > 6, 'some have started again')
    assert.ok(starts.length <= 12, 'none has started more than twice')
  })

  for (const [what, count, slices] of [
    ['a task of up to 10 ms end, although others wait for its place', 12, 9],
    ['a long task go on as long as no other waits for its place', 4, 60]
  ]) {
    it(`lets ${what}`, async () => {
      const clock = loadWithClock()
      const starts = []
      await Promise.all(Array.from({ length: count }, () => runLong(clock, slices, starts)))
      assert.equal(starts.length, count)
    })
  }

  it('gives long tasks one of four slices while there are short ones', async () => {
    const clock = loadWithClock()
    let levels = ''
    const note = (task) => { levels += task.level.places === 2 ? 's' : 'f' }
    await Promise.all(Array.from({ length: 16 }, () => runLong(clock, 30, [], note)))
    const first = levels.indexOf('s')
    assert.equal(levels.slice(first, first + 80), 'sfff'.repeat(20))
  })

  it('runs with the timers and the clock that there were when it was loaded', async () => {
    const task = new Task(1)
    const fail = () => { throw new Error('replaced') }
    const run = () => task.run(async () => { await task.pause() })
    const setImmediate = { setImmediate: fail }
    await within(timers, setImmediate, () =>
      within(globalThis, setImmediate, () => within(performance, { now: fail }, run)))
  })
})
